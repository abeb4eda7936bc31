// Hides the list of tools until the script has applied the search in the URL.
if (/^\/(?:home)?\?(?:.*&)?(?:q|sort|family|stock)=./.test(location.pathname + location.search))
  document.documentElement.dataset.finding = '';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // If the browser blocks storage, the page follows the system's color scheme.
}
