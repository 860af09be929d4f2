// Blocking and external (the CSP forbids inline scripts): the theme is on <html> before the first paint.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('theme');
  } catch {
    // Storage may be forbidden; the system preference holds.
  }
  const isDark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', isDark);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();
