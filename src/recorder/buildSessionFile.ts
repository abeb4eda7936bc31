import { FILE_FORMAT, MAX_PACKED_BYTES, type SessionFile, type ShownSettings } from './sessionFile';
import type { Recorder } from './recorder';

const ABOUT =
  'The last 30 minutes of one Forgeline tab: actions, responses of the server, pages, errors and times. ' +
  'Names, emails, addresses, phone numbers and other texts are replaced by placeholders. ' +
  'It contains no password, token or card number. ' +
  'Open it with: npm run replay -- FILE, or import it in Redux DevTools.';

/** @returns the name of the main script, which differs in each build */
const buildName = () =>
  [...document.scripts].map(({ src }) => /\/(main\.[^/]+)\.js$/.exec(src)?.[1]).find(Boolean) ?? 'development';

async function packedSize(text: string): Promise<number> {
  if (!('CompressionStream' in window)) return text.length / 8;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

type Segments = ReturnType<Recorder['segments']>;

function listPages(segments: Segments): Pick<SessionFile, 'outlines' | 'pages'> {
  const outlines = new Set<string>();
  for (const { pages } of segments) for (const outline of pages.values()) outlines.add(outline);
  const list = [...outlines];
  let first = 0;
  const pages = segments.flatMap(({ steps, pages: read }) => {
    const start = first;
    first += steps.length;
    return [...read].map(([step, outline]): [number, number] => [start + step, list.indexOf(outline)]);
  });
  return { outlines: list, pages };
}

/** @returns the file's text, with the newest segment and as many older ones as fit into MAX_PACKED_BYTES */
export async function buildSessionFile(recorder: Recorder, trace: string, settings: ShownSettings): Promise<string> {
  recorder.recordAll();
  for (let segments = recorder.segments(); ; segments = segments.slice(1)) {
    const file: SessionFile = {
      about: ABOUT,
      format: FILE_FORMAT,
      build: buildName(),
      savedAt: new Date().toISOString(),
      trace,
      settings,
      ...listPages(segments),
      preloadedState: JSON.stringify(segments[0]?.base ?? {}),
      payload: `[${segments.flatMap(({ steps }) => steps).join(',\n')}]`,
    };
    const text = JSON.stringify(file, null, 1);
    if (segments.length <= 1 || (await packedSize(text)) <= MAX_PACKED_BYTES) return text;
  }
}
