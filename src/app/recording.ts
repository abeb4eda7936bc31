import { apiSlice } from '../api/apiSlice';
import { pageTrace } from '../api/baseQuery';
import { createReport } from '../recorder/saveReport';
import { startRecorder } from '../recorder/recorder';

const recorder = startRecorder(Object.keys(apiSlice.endpoints));

/** @returns the text of a file with the last 30 minutes of this tab */
export const createSessionReport = (): Promise<string> => createReport(recorder, pageTrace());
