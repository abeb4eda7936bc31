/** React is in a script of its own, so that the browser runs it in a task of its own. */
import 'react-dom/client';
