// Hides the list of tools until the script has applied the search in the URL.
if (/[?&](?:q|sort)=./.test(location.search)) document.documentElement.dataset.finding = '';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // The browser blocks storage, so the page follows the system's color scheme.
}
