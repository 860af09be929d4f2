// Runs in each page before its scripts, and measures when it becomes usable and the longest task of its main thread.
(() => {
  const seen = { interactive: null, longest: 0 };
  window.vigieSeen = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  const isThere = () => {
    const main = document.querySelector('main');
    // A part that still loads has this attribute, and holds back those below it.
    const isLoading = main?.querySelector('[data-loading]') || main?.textContent.includes('Chargement…');
    return Boolean(main?.querySelector('h1')) && !isLoading;
  };
  const look = () => {
    if (!isThere()) {
      requestAnimationFrame(look);
      return;
    }
    // The page is painted and the main thread is idle.
    requestIdleCallback(() => {
      if (isThere()) seen.interactive = performance.now();
      else requestAnimationFrame(look);
    });
  };
  requestAnimationFrame(look);
})();
