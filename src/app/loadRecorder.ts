/** The browser fetches this chunk when it is idle. Until then, `buffer.ts` stores what happens. */
export const loadRecorder = () => import(/* webpackChunkName: "recorder" */ './recording');
