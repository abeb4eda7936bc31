import { useRef } from 'react';
import { useDownloadToolsMutation } from '../../../api/apiSlice';
import { notifyFailure } from '../../../feedback/notifyFailure';
import { Button } from '../../../ui/Button';
import { ErrorText, MutedText, Stack } from '../../../ui/page';
import { SheetPreview } from './SheetPreview';
import { SheetActions } from './sheetStyle';
import { useToolImport } from './useToolImport';

function DownloadButton() {
  const [download, { isLoading }] = useDownloadToolsMutation();
  return (
    <Button variant="quiet" busy={isLoading} onClick={() => void download().unwrap().catch(notifyFailure)}>
      Download the list
    </Button>
  );
}

/** The tools as a spreadsheet: downloaded, edited elsewhere, uploaded, previewed and imported. */
export function ToolSheet() {
  const { shown, isReading, isImporting, error, choose, apply, close } = useToolImport();
  const picker = useRef<HTMLInputElement>(null);
  const upload = useRef<HTMLButtonElement>(null);
  const focusUpload = () => upload.current?.focus();
  return (
    <Stack $gap={3}>
      <SheetActions>
        <DownloadButton />
        <Button ref={upload} variant="quiet" busy={isReading || isImporting} onClick={() => picker.current?.click()}>
          Upload a list
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,text/csv"
          aria-label="List of tools"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void choose(file);
            // Otherwise, choosing the same file again after it was edited would have no effect.
            target.value = '';
          }}
        />
      </SheetActions>
      <MutedText>Edit many tools at once in a spreadsheet. You see every change before it is made.</MutedText>
      {error && !shown && <ErrorText>{error}</ErrorText>}
      {shown && (
        <SheetPreview
          {...shown}
          busy={isImporting}
          error={error}
          onApply={() => void apply(focusUpload)}
          onClose={() => {
            close();
            focusUpload();
          }}
        />
      )}
    </Stack>
  );
}
