/** React has a script of its own, so that the browser evaluates it in a task of its own. */
import 'react-dom/client';
