/** A script of its own, so that no single task of the page's start is long. */
import 'react-dom/client';
