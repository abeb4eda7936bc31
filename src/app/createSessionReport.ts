import { apiSlice } from '../api/apiSlice';
import { getPageTraceId } from '../api/baseQuery';
import { readConfig } from '../config';
import { drafts } from '../forms/drafts';
import { buildSessionFile } from '../recorder/buildSessionFile';
import { startRecorder } from '../recorder/startRecorder';

const { recorder, readPage } = startRecorder(Object.keys(apiSlice.endpoints), drafts.exist);

/** The settings that change what pages show. A replay needs no others, so the report contains no keys or hosts. */
function readShownSettings() {
  const { identity, payments, demo } = readConfig(document);
  const { kind, testMode } = payments;
  return { google: identity.google, payments: { kind, testMode }, demo };
}

/** @returns the text of a file that describes the last 30 minutes of this tab */
export function createSessionReport(): Promise<string> {
  readPage();
  return buildSessionFile(recorder, getPageTraceId(), readShownSettings());
}
