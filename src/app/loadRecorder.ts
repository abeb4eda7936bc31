/** The recorder's chunk, which the browser fetches when it is idle. */
export const loadRecorder = () => import(/* webpackChunkName: "recorder" */ './recording');
