import { existsSync, readFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { join } from 'node:path';
import { root } from '../install.mjs';

const MAX_DETAIL_LENGTH = 300;
/** The first frames are in the code that threw. The others are mostly React's. */
const FRAMES_SHOWN = 3;

function loadDescriptions() {
  const require = createRequire(import.meta.url);
  require('ts-node').register({ project: join(root, 'tsconfig.json') });
  return require(join(root, 'src/app/describeRecordedAction.ts'));
}

/** Placeholders have the length of the text that they replace. A listing is easier to read without that. */
const shorten = (json) => json.replaceAll(/(\d)x{3,}/g, '$1…');

/**
 * @param frame - a place in a chunk, such as `my-orders.cb72ac31.js:1:4032`
 * @returns the place in the source, if the chunk is of this build
 */
function findSource(frame) {
  const [, chunk, line, column] = /^(.+\.js):(\d+):(\d+)$/.exec(frame) ?? [];
  const file = join(root, 'dist/maps', `${chunk}.map`);
  if (!chunk || !existsSync(file)) return frame;
  const map = new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  const { originalSource, originalLine } = map.findEntry(line - 1, column - 1);
  return originalSource
    ? `${originalSource.replace(/^webpack:\/\/[^/]*\//, '').replace(/^\.\//, '')}:${originalLine + 1}`
    : frame;
}

/** `describeRecordedAction` contains the last four already, and `detailOf` adds the frames. */
const FIELDS_SHOWN_ELSEWHERE = ['recorded', 'frames', 'chunk', 'name', 'code', 'how'];

function contentOf({ type, payload, meta, ...fields }) {
  if (type.endsWith('/pending')) return meta?.arg?.originalArgs;
  const rest = Object.entries(fields).filter(([field]) => !FIELDS_SHOWN_ELSEWHERE.includes(field));
  return payload ?? (rest.length > 0 ? Object.fromEntries(rest) : undefined);
}

function detailOf(action) {
  const json = shorten(JSON.stringify(contentOf(action)) ?? '');
  const text = json.length > MAX_DETAIL_LENGTH ? `${json.slice(0, MAX_DETAIL_LENGTH)}…` : json;
  return [text, ...(action.frames ?? []).slice(0, FRAMES_SHOWN).map(findSource)].filter(Boolean).join('  ');
}

/** @returns the steps that show a failure, each as `step 11: deleteOrder failed: FETCH_ERROR` */
export function listFailures({ payload }) {
  const { describeRecordedAction, isFailure } = loadDescriptions();
  return JSON.parse(payload).flatMap((action, index) =>
    isFailure(action) ? [`step ${index + 1}: ${describeRecordedAction(action)}`] : [],
  );
}

/** @returns one line for each step: number, seconds since the first step, page, action, content. A failure has a `!`. */
export function listSteps({ payload }) {
  const { describeRecordedAction, isFailure } = loadDescriptions();
  const actions = JSON.parse(payload);
  const start = actions[0].recorded.at;
  return actions.map((action, index) => {
    const { at, path } = action.recorded;
    const seconds = ((at - start) / 1000).toFixed(3).padStart(8);
    const columns = [`${isFailure(action) ? '!' : ' '}${String(index + 1).padStart(4)}`, seconds, shorten(path)];
    return [...columns, describeRecordedAction(action), detailOf(action)].join('  ').trimEnd();
  });
}
