export const HOME_PATH = '/strategies';

const NOT_TARGETS = /^\/(login|register|register-success|forgot-password)(\/|\?|#|$)/;

/**
 * Where to go after login. Only a path of our own counts: `//host`, `/\host` and full addresses would send a user who
 * trusts our link to a stranger.
 */
export function safeRedirect(target: unknown): string {
  if (typeof target !== 'string' || !/^\/(?![/\\])/.test(target)) return HOME_PATH;
  // Browsers drop tabs and line breaks from addresses, which would turn `/<tab>/host` into `//host`.
  if (/\s/.test(target)) return HOME_PATH;
  return target === '/' || NOT_TARGETS.test(target) ? HOME_PATH : target;
}
