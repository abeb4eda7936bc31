import { useEffect, useState } from 'react';
import { Dialog } from '../ui/Dialog';
import { ErrorText, Stack } from '../ui/page';

type ReportDialogProps = { open: boolean; createReport: () => Promise<string>; onClose: () => void };

const FILE_NAME = 'forgeline-session.json';
const FAILED = "We couldn't create the file. Close this dialog and try again.";

/** Creates the file when the dialog opens, so that the customer can look into it before saving it. */
function useReportUrl(open: boolean, createReport: () => Promise<string>) {
  const [url, setUrl] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!open) return;
    let objectUrl = '';
    const offer = (text: string) =>
      setUrl((objectUrl = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))));
    createReport().then(offer, () => setFailed(true));
    return () => {
      URL.revokeObjectURL(objectUrl);
      setUrl(undefined);
      setFailed(false);
    };
  }, [open, createReport]);
  return { url, hasFailed };
}

export default function ReportDialog({ open, createReport, onClose }: ReportDialogProps) {
  const { url, hasFailed } = useReportUrl(open, createReport);
  function save() {
    Object.assign(document.createElement('a'), { href: url, download: FILE_NAME }).click();
    onClose();
  }
  return (
    <Dialog
      open={open}
      title="Save what happened"
      confirm="Save file"
      cancel="Close"
      busy={!url && !hasFailed}
      onConfirm={hasFailed ? onClose : save}
      onCancel={onClose}
    >
      <Stack $gap={3}>
        <p>
          The file has the last 30 minutes of this tab: the pages you opened, the shop&apos;s responses, errors and
          times.
        </p>
        <p>
          It has no passwords and no card numbers. Names, emails, addresses, phone numbers and other texts are replaced
          by placeholders.
        </p>
        <p>Nothing is sent. You decide who gets the file.</p>
        {url && (
          <a href={url} target="_blank" rel="noopener">
            Look inside first (opens a new tab)
          </a>
        )}
        {hasFailed && <ErrorText>{FAILED}</ErrorText>}
      </Stack>
    </Dialog>
  );
}
