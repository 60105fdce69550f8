import { api } from '../../data/api.ts';
import { session } from '../../data/session.ts';

/**
 * Ends the session here at once and on the server as soon as it answers: leaving must work offline too. The caller goes
 * to the login page.
 */
export function logOut(): void {
  // The request reads the token before the session is cleared.
  const ended = api.call('logout', {}, { skipErrorHandling: true });
  session.clear();
  ended.catch((error: unknown) => console.error('The server did not end the session', error));
}
