import { ApiFailure } from '../../data/api-failure.ts';
import { api } from '../../data/api.ts';
import { loadChainId } from '../../data/app-config.ts';
import { session } from '../../data/session.ts';

/** On load with a stored token the wallet is fetched into the session. A failure is only logged: the page still works. */
export async function restoreWallet(): Promise<void> {
  const token = session.storedToken();
  if (token === null) return;
  try {
    const chainId = await loadChainId();
    const take = session.awaitWallet(token);
    take(await api.call('myWallet', { chainId }, { skipErrorHandling: true }));
  } catch (error) {
    // No answer is also what a page gets that is being left.
    const isUnanswered = error instanceof ApiFailure && error.reason.kind === 'no-response';
    console[isUnanswered ? 'warn' : 'error']('The wallet could not be loaded', error);
  }
}
