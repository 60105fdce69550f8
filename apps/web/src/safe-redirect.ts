export const HOME_PATH = '/strategies';

/** Pages for people without a session. The links of mails lead to some, with a secret behind the # that belongs in no other address. */
const WITHOUT_SESSION =
  /^\/(login|register|register-success|forgot-password|freeze|unfreeze|undo-reset|cancel-withdrawal)\/?$/;

/** Whether somebody whose session has ended is led from this page to the login page. */
export function leavesForLogin(pathname: string): boolean {
  return !WITHOUT_SESSION.test(pathname);
}

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
