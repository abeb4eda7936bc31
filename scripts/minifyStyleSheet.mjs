/** Rules of react-toastify for animations and themes that the shop does not use. */
const ANIMATIONS =
  /@keyframes Toastify__(?:zoom|flip|slide|bounce(?:In|Out)(?:Left|Up|Down))\w* *\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g;
const THEMES = /[^{}]*theme--(?:dark|colored)[^{}]*\{[^{}]*\}/g;

/** A loader of webpack that removes comments and white space from react-toastify's style sheet. */
export default (text) =>
  text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(ANIMATIONS, '')
    .replace(THEMES, '')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':');
