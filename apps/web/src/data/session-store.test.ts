import { describe, expect, it } from 'vitest';
import type { TextStorage } from '../ui/browser-storage.ts';
import { createSessionStore } from './session-store.ts';
import type { UserInfo } from './session-store.ts';

function aStorage(values: Record<string, string> = {}): TextStorage & { values: Map<string, string> } {
  const map = new Map(Object.entries(values));
  return {
    values: map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}
const walletInfo = {
  walletAddress: 'W',
  tokenBalance: '1.5',
  available: '1',
  committed: '0',
  equity: '1.5',
  withdrawable: '0.9',
};
const user: UserInfo = { token: 't1', email: 'a@b.c', walletInfo };

describe('the session', () => {
  it('is restored when a token and a remembered e-mail are stored', () => {
    const session = createSessionStore(aStorage({ token: 't1', rememberedEmail: 'a@b.c' }));
    expect(session.store.getState().user).toEqual({ token: 't1', email: 'a@b.c' });
  });

  it.each<Record<string, string>>([{ token: 't1' }, { rememberedEmail: 'a@b.c' }, {}])(
    'is not restored from half of it (%#)',
    (stored) => {
      expect(createSessionStore(aStorage(stored)).store.getState().user).toBeNull();
    },
  );

  it('stores token and e-mail under the fixed keys on login and nothing else', () => {
    const storage = aStorage();
    createSessionStore(storage).setUser(user);
    expect(Object.fromEntries(storage.values)).toEqual({ token: 't1', rememberedEmail: 'a@b.c' });
  });

  it('forgets the token on logout and remembers the e-mail', () => {
    const storage = aStorage();
    const session = createSessionStore(storage);
    session.setUser(user);
    session.clear();
    expect(session.store.getState().user).toBeNull();
    expect(Object.fromEntries(storage.values)).toEqual({ rememberedEmail: 'a@b.c' });
  });

  it('takes the fetched wallet, also when only a token was stored', () => {
    const session = createSessionStore(aStorage({ token: 't1' }));
    session.awaitWallet('t1')({ email: 'a@b.c', walletInfo });
    expect(session.store.getState().user).toEqual({ token: 't1', email: 'a@b.c', walletInfo });
  });

  it('drops a wallet that arrives after the session has changed', () => {
    const session = createSessionStore(aStorage({ token: 't2', rememberedEmail: 'b@b.c' }));
    session.awaitWallet('t1')({ email: 'a@b.c', walletInfo });
    expect(session.store.getState().user).toEqual({ token: 't2', email: 'b@b.c' });
  });

  it('keeps a balance that was pushed while the wallet was on its way: it is newer', () => {
    const session = createSessionStore(aStorage());
    session.setUser({ token: 't1', email: 'a@b.c', walletInfo });
    const take = session.awaitWallet('t1');
    session.setWalletInfo({ ...walletInfo, tokenBalance: '10' });
    take({ email: 'a@b.c', walletInfo });
    expect(session.store.getState().user?.walletInfo?.tokenBalance).toBe('10');
    session.awaitWallet('t1')({ email: 'a@b.c', walletInfo: { ...walletInfo, tokenBalance: '7' } });
    expect(session.store.getState().user?.walletInfo?.tokenBalance).toBe('7');
  });

  it('takes the wallet that was asked for last, whichever answer comes first', () => {
    const later = { ...walletInfo, tokenBalance: '10' };
    for (const order of ['early first', 'late first']) {
      const session = createSessionStore(aStorage({ token: 't1', rememberedEmail: 'a@b.c' }));
      const [takeEarly, takeLate] = [session.awaitWallet('t1'), session.awaitWallet('t1')];
      if (order === 'early first') takeEarly({ email: 'a@b.c', walletInfo });
      takeLate({ email: 'a@b.c', walletInfo: later });
      if (order === 'late first') takeEarly({ email: 'a@b.c', walletInfo });
      expect(session.store.getState().user?.walletInfo, order).toEqual(later);
    }
  });

  it('follows another tab that logged out', () => {
    const storage = aStorage();
    const session = createSessionStore(storage);
    session.setUser(user);
    storage.removeItem('token');
    session.reread();
    expect(session.store.getState().user).toBeNull();
  });
});
