// Runs before the first paint, so that a stored light theme never flashes dark. Keep in step with features/theme.
(function () {
  try {
    if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
  } catch {
    // Storage may be forbidden; dark is the default.
  }
})();
