import { useRef, useState, type ReactNode } from 'react';
import { useImportToolsMutation, usePreviewToolImportMutation } from '../../../api/apiSlice';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { MAX_IMPORTED_BYTES } from '../../../contract/limits';
import { failureOf, UserError } from '../../../contract/problem';
import { shownCodeOf, toastTextOf } from '../../../contract/toastText';
import { notify } from '../../../feedback/notify';
import { drafts } from '../../../forms/drafts';
import { withCopyDetails } from '../../../ui/CopyDetails';

const DRAFT = 'tool-import';
const NO_REPLY = "We didn't get a reply. Press the button again. Nothing is imported twice.";
const TOO_LARGE = 'The file has more than 5 MB. Split it into several files.';
const UNREADABLE = "We can't read this file. Close it in your spreadsheet program and choose it again.";

interface ChosenFile {
  name: string;
  /** Read when it is chosen, so that the import has the bytes of the preview. */
  bytes: ArrayBuffer;
  /** What a file that was chosen again after a reload has in common with this one. */
  identity: object;
}

async function readFile(file: File): Promise<ChosenFile> {
  const { name, size, lastModified } = file;
  if (size > MAX_IMPORTED_BYTES) throw new UserError(TOO_LARGE);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new UserError(UNREADABLE);
  });
  return { name, bytes, identity: { name, size, lastModified } };
}

function describeFailure(failure: unknown, isImport: boolean): ReactNode {
  const { kind } = failureOf(failure);
  if (kind === 'signedOut') return '';
  if (kind === 'lost' && isImport) return NO_REPLY;
  return withCopyDetails(toastTextOf(failure), shownCodeOf(failure));
}

/** Previews a spreadsheet of tools and imports it, one request at a time. */
export function useToolImport() {
  const [preview, { data: planned, isLoading: isReading, reset }] = usePreviewToolImportMutation();
  const [importTools, { isLoading: isImporting }] = useImportToolsMutation();
  const [file, setFile] = useState<ChosenFile>();
  const [error, setError] = useState<ReactNode>('');
  const isWorking = useRef(false);

  async function run(isImport: boolean, work: () => Promise<void>) {
    if (isWorking.current) return;
    isWorking.current = true;
    setError('');
    try {
      await work();
    } catch (failure) {
      setError(describeFailure(failure, isImport));
    } finally {
      isWorking.current = false;
    }
  }
  function close() {
    setFile(undefined);
    setError('');
    reset();
  }
  const choose = (chosen: File) =>
    run(false, async () => {
      close();
      const read = await readFile(chosen);
      await preview(read.bytes).unwrap();
      setFile(read);
    });
  const apply = (onDone: () => void) =>
    run(true, async () => {
      const { bytes, identity } = file!;
      const { counts } = await importTools({ file: bytes, key: drafts.keyFor(DRAFT, identity) }).unwrap();
      drafts.remove(DRAFT);
      const [added, changed] = [counts.add, counts.change].map(formatWithCommas);
      notify.success(`Imported the list: ${added} added, ${changed} changed.`);
      close();
      onDone();
    });

  return {
    shown: file && planned && { name: file.name, planned },
    isReading,
    isImporting,
    error,
    choose,
    apply,
    close,
  };
}
