// Who is logged in. The token and the remembered e-mail live in local storage under the product's fixed keys; the rest
// lives in memory only and is fetched again on load.
import { createStore } from 'zustand/vanilla';
import type { TextStorage } from '../ui/browser-storage.ts';

export const TOKEN_KEY = 'token';
const REMEMBERED_EMAIL_KEY = 'rememberedEmail';

type WalletInfo = {
  walletAddress: string;
  tokenBalance: string;
  available: string;
  committed: string | null;
  equity: string | null;
  withdrawable: string;
};
export type UserInfo = { token: string; email: string; avatar?: string | undefined; walletInfo?: WalletInfo };

/** `ended` counts the sessions that this page has left: what was shown in one must be gone in the next. */
type SessionState = { user: UserInfo | null; ended: number };

export function createSessionStore(storage: TextStorage) {
  const store = createStore<SessionState>(() => ({ user: restore(storage), ended: 0 }));
  const change = (user: UserInfo | null) =>
    store.setState(({ user: before, ended }) => ({
      user,
      ended: before && before.token !== user?.token ? ended + 1 : ended,
    }));
  // Questions for the wallet are numbered; of what is known of it, the newest was asked for under this number.
  let asked = 0;
  let newest = 0;
  return {
    store,
    storedToken: () => storage.getItem(TOKEN_KEY) || null,
    rememberedEmail: () => storage.getItem(REMEMBERED_EMAIL_KEY),
    setUser(user: UserInfo) {
      storage.setItem(TOKEN_KEY, user.token);
      storage.setItem(REMEMBERED_EMAIL_KEY, user.email);
      change(user);
    },
    /**
     * Before the wallet is asked for; takes what the call answers. A reply that arrives after the session has changed is
     * dropped, and a balance that was pushed meanwhile, or asked for later, is newer than the one in the reply.
     */
    awaitWallet(token: string) {
      const number = (asked += 1);
      return (wallet: { email: string; avatar?: string | undefined; walletInfo: WalletInfo }): void => {
        if (storage.getItem(TOKEN_KEY) !== token) return;
        storage.setItem(REMEMBERED_EMAIL_KEY, wallet.email);
        const known = number > newest ? undefined : store.getState().user?.walletInfo;
        newest = Math.max(newest, number);
        change({ token, ...wallet, walletInfo: known ?? wallet.walletInfo });
      };
    },
    /** A newer balance of the wallet that is already known. */
    setWalletInfo(walletInfo: WalletInfo) {
      newest = asked;
      store.setState(({ user }) => ({ user: user && { ...user, walletInfo } }));
    },
    /** The remembered e-mail stays: it fills the login form next time. */
    clear() {
      storage.removeItem(TOKEN_KEY);
      change(null);
    },
    /** Another tab logged in or out. */
    reread() {
      const user = restore(storage);
      if (user?.token !== store.getState().user?.token) change(user);
    },
  };
}

function restore(storage: TextStorage): UserInfo | null {
  const token = storage.getItem(TOKEN_KEY);
  const email = storage.getItem(REMEMBERED_EMAIL_KEY);
  return token && email ? { token, email } : null;
}
