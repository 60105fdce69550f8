import type { Accounts } from '../../accounts/accounts.ts';
import { createApiKey, loadApiKeys, revokeApiKey } from '../../accounts/api-keys.ts';
import { loadAuditPage } from '../../platform/audit.ts';
import { readIdCursor } from '../../platform/id-cursor.ts';
import * as factors from '../../accounts/factors.ts';
import { loadInvites } from '../../accounts/invites.ts';
import { login, logout, revokeSession } from '../../accounts/login.ts';
import { freezeByLink, unfreeze } from '../../accounts/freeze.ts';
import { loadOperatorReads } from '../../accounts/operator-reads.ts';
import { changePassword } from '../../accounts/password-changes.ts';
import { cancelKeyExport, exportKey } from '../../accounts/passwords.ts';
import { resetPassword, undoReset } from '../../accounts/resets.ts';
import { register } from '../../accounts/register.ts';
import { loadSavedItems, saveItem } from '../../accounts/saved-items.ts';
import { loadSettings, saveSettings } from '../../accounts/settings.ts';
import { loadWatchlist, saveWatched } from '../../accounts/watchlist.ts';
import type { Handlers } from '../handlers.ts';

export function accountHandlers(accounts: Accounts) {
  const { database, sessions, codes } = accounts;
  return {
    sendEmailCode: ({ email, purpose }, caller) => codes.send(email, purpose, caller),
    register: (request, caller) => register(accounts, request, caller),
    login: (request, caller) => login(accounts, request, caller),
    logout: async (_request, caller) => {
      await logout(accounts, caller.session, caller);
      return {};
    },
    resetPassword: async (request, caller) => {
      await resetPassword(accounts, request, caller);
      return {};
    },
    undoPasswordReset: async (request, caller) => {
      await undoReset(accounts, request, caller);
      return {};
    },
    freezeAccount: async ({ token }, caller) => {
      await freezeByLink(accounts, token, caller);
      return {};
    },
    unfreezeAccount: async (request, caller) => {
      await unfreeze(accounts, request, caller);
      return {};
    },
    getMyOperatorReads: async (_request, { session }) => ({
      lists: await loadOperatorReads(database, session.userId),
    }),
    myWallet: async (_request, { session }) => ({
      email: session.email,
      walletInfo: await accounts.loadWalletInfo(database, session.userId),
    }),
    getMySessions: async (_request, { session }) => ({
      lists: await sessions.list(session.userId, session.sessionId),
    }),
    revokeSession: async ({ id }, caller) => {
      await revokeSession(accounts, caller.session, id, caller);
      return {};
    },
    changePassword: async (request, caller) => {
      await changePassword(accounts, caller.session, request, caller);
      return {};
    },
    exportKey: (request, caller) => exportKey(accounts, caller.session, request, caller),
    getMyApiKeys: async (_request, { session }) => ({ lists: await loadApiKeys(accounts, session.userId) }),
    createApiKey: (request, caller) => createApiKey(accounts, caller.session, request, caller),
    revokeApiKey: async ({ id }, caller) => {
      await revokeApiKey(accounts, caller.session.userId, id, caller);
      return {};
    },
    cancelKeyExport: async (_request, caller) => {
      await cancelKeyExport(accounts, caller.session, caller);
      return {};
    },
    getMyFactors: (_request, { session }) => factors.loadFactors(accounts, session),
    startTotp: (request, caller) => factors.startTotp(accounts, caller.session, request, caller),
    confirmTotp: (request, caller) => factors.confirmTotp(accounts, caller.session, request, caller),
    enrolPasskey: (request, caller) => factors.enrolPasskey(accounts, caller.session, request, caller),
    removeFactor: async (request, caller) => {
      await factors.removeFactor(accounts, caller.session, request, caller);
      return {};
    },
    renewRecoveryCodes: (request, caller) => factors.renewRecoveryCodes(accounts, caller.session, request, caller),
    setLoginRule: async (request, caller) => {
      await factors.setLoginRule(accounts, caller.session, request, caller);
      return {};
    },
    startRecovery: (request, caller) => factors.startRecovery(accounts, caller.session, request, caller),
    cancelRecovery: async (_request, caller) => {
      await factors.cancelRecovery(accounts, caller.session, caller);
      return {};
    },
    finishRecovery: async (request, caller) => {
      await factors.finishRecovery(accounts, caller.session, request, caller);
      return {};
    },
    getMyInvites: (_request, { session }) => loadInvites(database, session.userId),
    getMySavedItems: async (request, { session }) => ({
      lists: await loadSavedItems(database, session.userId, request),
    }),
    saveMyItem: async (request, { session }) => {
      await saveItem(database, new Date(accounts.clock.nowMs()), session.userId, request);
      return {};
    },
    getMyAuditLog: ({ cursor }, { session }) => loadAuditPage(database, session.userId, readIdCursor(cursor)),
    getMyWatchlist: async (_request, { session }) => ({ lists: await loadWatchlist(database, session.userId) }),
    watchToken: async ({ tokenContractAddress, watched }, { session }) => ({
      lists: await saveWatched(database, session.userId, tokenContractAddress, watched),
    }),
    getMySettings: (_request, { session }) => loadSettings(database, session.userId),
    saveMySettings: (request, { session }) => saveSettings(database, session.userId, request),
  } satisfies Partial<Handlers>;
}
