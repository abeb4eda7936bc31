import { useRef, useState, type ReactNode } from 'react';
import { useImportToolsMutation, usePreviewToolImportMutation } from '../../../api/apiSlice';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { MAX_IMPORTED_BYTES } from '../../../contract/uploadLimits';
import { failureOf, UserError } from '../../../contract/problem';
import { shownCodeOf, toastTextOf } from '../../../contract/toastText';
import { notify } from '../../../feedback/notify';
import { drafts } from '../../../forms/drafts';
import { withCopyDetails } from '../../../ui/CopyDetails';

const DRAFT = 'tool-import';
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

function describeFailure(failure: unknown): ReactNode {
  if (failureOf(failure).kind === 'signedOut') return '';
  return withCopyDetails(toastTextOf(failure), shownCodeOf(failure));
}

/** Previews a spreadsheet of tools and imports it, one request at a time. */
export function useToolImport() {
  const [preview, { data: planned, isLoading: isReading, reset }] = usePreviewToolImportMutation();
  const [importTools, { isLoading: isImporting }] = useImportToolsMutation();
  const [file, setFile] = useState<ChosenFile>();
  const [error, setError] = useState<ReactNode>('');
  const isWorking = useRef(false);

  async function run(work: () => Promise<void>) {
    if (isWorking.current) return;
    isWorking.current = true;
    setError('');
    try {
      await work();
    } catch (failure) {
      setError(describeFailure(failure));
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
    run(async () => {
      close();
      const read = await readFile(chosen);
      await preview(read.bytes).unwrap();
      setFile(read);
    });
  const apply = (onDone: () => void) =>
    run(async () => {
      const { bytes, identity } = file!;
      const { key } = drafts.open(DRAFT, identity);
      const { counts } = await importTools({ file: bytes, key }).unwrap();
      drafts.forgetKey(DRAFT, key);
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
