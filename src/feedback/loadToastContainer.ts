/** The part that shows toasts, fetched with the first of them, or before. */
export const loadToastBox = () => import(/* webpackChunkName: "toasts" */ './ToastContainer');
