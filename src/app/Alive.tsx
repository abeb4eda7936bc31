import { useEffect } from 'react';

const announce = () => void window.dispatchEvent(new Event('alive'));

/** Tells public/start.js that presses kept until now can be answered. */
export function Alive() {
  useEffect(announce, []);
  return null;
}
