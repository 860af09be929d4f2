// Runs in each page before anything of its own: when it could first be used, and how long it was ever busy.
(() => {
  const seen = { interactive: null, longest: 0 };
  window.vigieSeen = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  const isThere = () => {
    const main = document.querySelector('main');
    return Boolean(main?.querySelector('h1')) && !main.textContent.includes('Chargement…');
  };
  const look = () => {
    if (!isThere()) {
      requestAnimationFrame(look);
      return;
    }
    // Painted, and nothing else to do: what somebody does now is answered at once.
    requestIdleCallback(() => {
      if (isThere()) seen.interactive = performance.now();
      else requestAnimationFrame(look);
    });
  };
  requestAnimationFrame(look);
})();
