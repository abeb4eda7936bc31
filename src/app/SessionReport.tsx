import { useEffect, useState, type ReactNode } from 'react';
import { APP_MESSAGES } from '../contract/appMessages';
import { notify } from '../feedback/notify';
import { REPORT_REQUESTED } from '../ui/SaveReportButton';
import { loadRecorder } from './loadRecorder';

const loadDialog = () =>
  Promise.all([import(/* webpackChunkName: "report" */ '../recorder/ReportDialog'), loadRecorder()]);

/** The dialog that saves a report of the session. Its chunk is loaded when a button asks for the dialog. */
export function SessionReport() {
  const [dialog, setDialog] = useState<ReactNode>();
  useEffect(() => {
    /** Keeps a closed dialog rendered, because it has to return the focus to the button that opened it. */
    const show = (isOpen: boolean) =>
      void loadDialog().then(
        ([{ default: ReportDialog }, { createSessionReport }]) =>
          setDialog(<ReportDialog open={isOpen} createReport={createSessionReport} onClose={() => show(false)} />),
        () => notify.error(APP_MESSAGES.offline),
      );
    const open = () => show(true);
    window.addEventListener(REPORT_REQUESTED, open);
    return () => window.removeEventListener(REPORT_REQUESTED, open);
  }, []);
  return dialog;
}
