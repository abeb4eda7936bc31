// Hides the list of tools until the script has searched it.
if (/[?&](?:q|sort)=./.test(location.search)) document.documentElement.dataset.finding = '';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // The browser may block storage. The page then follows the system's color scheme.
}
