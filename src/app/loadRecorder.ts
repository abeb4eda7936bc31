/** The browser loads this chunk when it is idle. Until then, `buffer.ts` stores the entries. */
export const loadRecorder = () => import(/* webpackChunkName: "recorder" */ './createSessionReport');
