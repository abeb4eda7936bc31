/** The part that shows toasts, fetched with the first of them, or before. */
export const toastBox = () => import(/* webpackChunkName: "toasts" */ './ToastBox');
