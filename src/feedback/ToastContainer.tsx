import { useEffect, useRef } from 'react';
import { toast, ToastContainer as Container, type Id } from 'react-toastify/unstyled';
import toastify from 'react-toastify/ReactToastify.css';
import styled, { createGlobalStyle } from 'styled-components';
import { TOAST_MS } from '../contract/limits';
import { color, font, media, radius, space, touchTarget } from '../ui/theme';
import { withCopyDetails } from '../ui/CopyDetails';
import { takePendingToasts, watchToasts, type Toast } from './notify';

const ToastifyStyle = createGlobalStyle`${toastify}`;

const ToastTheme = styled.div`
  --toastify-color-light: ${color.surface};
  --toastify-text-color-light: ${color.ink};
  --toastify-color-progress-success: ${color.good};
  --toastify-color-progress-error: ${color.bad};
  --toastify-font-family: ${font.text};
  .Toastify__toast-container {
    top: var(--toasts-top);
  }
  .Toastify__toast {
    border: 1px solid ${color.edge};
  }
  ${media.phone} {
    .Toastify__toast-container {
      left: auto;
      right: ${space(2)};
      width: auto;
      /* Leaves room for the title of the page beside it. */
      max-width: 220px;
      &:has(code) {
        max-width: calc(100% - ${space(4)});
      }
    }
    .Toastify__toast {
      min-height: ${touchTarget};
      margin-bottom: 0;
      padding: ${space(2)} ${space(10)} ${space(2)} ${space(3)};
      border-radius: ${radius};
    }
  }
  .Toastify__toast--success .Toastify__toast-icon {
    color: ${color.good};
  }
  .Toastify__toast--error .Toastify__toast-icon {
    color: ${color.bad};
  }
  .Toastify__close-button {
    color: ${color.ink};
    opacity: 0.7;
  }
  /*
   * react-toastify closes a toast when its progress bar's animation ends, so that animation must run even with reduced
   * motion.
   */
  ${media.reducedMotion} {
    .Toastify__toast .Toastify__progress-bar--animated {
      animation-duration: ${TOAST_MS}ms !important;
    }
  }
`;

const CHECK = 'm6.5 12.5 3.7 3.7 7.3-8';
const CROSS = 'm8 8 8 8m0-8-8 8';

/** Replaces the icons of react-toastify, which screen readers do not skip. */
const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
    <circle cx="12" cy="12" r="10" />
    <path d={path} />
  </svg>
);

const matches = (query: string) => matchMedia(query.replace('@media ', '')).matches;
/** Phones have room for only one toast at a time. */
const isPhone = () => matches(media.phone);

const NAVBAR_PX = 64;
const GAP_PX = 8;

/**
 * @returns how far below the top of the screen toasts begin, so that they do not cover the buttons of the navbar, or of
 * the dashboard's menu, which on narrow screens has one or more rows below the navbar
 */
function measureToastsTop(): string {
  const menu = matches(media.narrowNav) && document.querySelector('nav[aria-label="Dashboard"]');
  const menuBottom = menu ? menu.getBoundingClientRect().bottom : 0;
  return `${Math.max(NAVBAR_PX, menuBottom) + GAP_PX}px`;
}

/**
 * The last toast with each text. A new toast with the same text replaces it, so that shipping many orders does not fill
 * the screen.
 */
const toastIds = new Map<string, Id>();

function show({ kind, text, code }: Toast): Id {
  if (kind === 'success') return toast.success(text, { role: 'status', icon: <Icon path={CHECK} /> });
  return toast.error(<div>{withCopyDetails(text, code)}</div>, { role: 'alert', icon: <Icon path={CROSS} /> });
}

function showPending() {
  for (const pending of takePendingToasts()) {
    const sameTextId = toastIds.get(pending.text);
    if (pending.replacesAll || isPhone()) toast.dismiss();
    else if (sameTextId !== undefined) toast.dismiss(sameTextId);
    toastIds.set(pending.text, show(pending));
  }
}

export default function ToastContainer() {
  const theme = useRef<HTMLDivElement>(null);
  // A toast can stay open while the page changes, for example after an order was placed. The page's height changes too.
  useEffect(() => {
    const placeBelowMenus = () => theme.current!.style.setProperty('--toasts-top', measureToastsTop());
    const observer = new ResizeObserver(placeBelowMenus);
    observer.observe(document.body);
    const stopWatching = watchToasts(placeBelowMenus);
    return () => {
      observer.disconnect();
      stopWatching();
    };
  }, []);
  useEffect(() => {
    showPending();
    return watchToasts(showPending);
  }, []);
  return (
    <ToastTheme ref={theme}>
      <ToastifyStyle />
      <Container position="top-right" autoClose={TOAST_MS} theme="light" />
    </ToastTheme>
  );
}
