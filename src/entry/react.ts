/** React is a separate script, so that no task at startup is long. */
import 'react-dom/client';
