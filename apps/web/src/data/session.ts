import { useStore } from 'zustand/react';
import { browserStorage } from '../ui/browser-storage.ts';
import { createSessionStore } from './session-store.ts';
import type { UserInfo } from './session-store.ts';

export const session = createSessionStore(browserStorage);

/** The logged-in user, or null. Pass a selector to re-render for that part only. */
export function useUser(): UserInfo | null;
export function useUser<T>(select: (user: UserInfo | null) => T): T;
export function useUser<T>(select?: (user: UserInfo | null) => T) {
  return useStore(session.store, (state) => (select ? select(state.user) : state.user));
}

export function useLoggedIn(): boolean {
  return useUser((user) => user !== null);
}

/** Changes when a session ends, also when another one takes its place. */
export function useSessionsEnded(): number {
  return useStore(session.store, ({ ended }) => ended);
}
