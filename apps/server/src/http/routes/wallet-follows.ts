import { endWalletFollow, followWallet, updateWalletFollow } from '../../wallet-follows/manage-wallet-follows.ts';
import {
  endPaperWalletFollow,
  loadMyPaperWalletFollows,
  startPaperWalletFollow,
} from '../../wallet-follows/paper-wallet-follows.ts';
import { simulateFollowOfWallet } from '../../wallet-follows/simulate-wallet-follow.ts';
import type { WalletFollows } from '../../wallet-follows/wallet-follow.ts';
import {
  loadMyWalletFollows,
  loadReceipts,
  previewWalletFollow,
  viewWalletFollow,
} from '../../wallet-follows/wallet-follow-views.ts';
import type { Handlers } from '../handlers.ts';

export function walletFollowHandlers(deps: WalletFollows) {
  return {
    previewWalletFollow: (request) => previewWalletFollow(deps, request),
    simulateWalletFollow: (request) => simulateFollowOfWallet(deps, request),
    followWallet: async (request, { session, idempotencyKey, requestId }) =>
      viewWalletFollow(deps, await followWallet(deps, session.userId, request, idempotencyKey ?? requestId)),
    updateWalletFollow: async (request, { session }) =>
      viewWalletFollow(deps, await updateWalletFollow(deps, session.userId, request)),
    endWalletFollow: async ({ id }, { session }) =>
      viewWalletFollow(deps, await endWalletFollow(deps, session.userId, id)),
    getMyWalletFollows: (_request, { session }) => loadMyWalletFollows(deps, session.userId),
    getWalletFollowReceipts: (request, { session }) => loadReceipts(deps, session.userId, request),
    startPaperWalletFollow: (request, { session }) => startPaperWalletFollow(deps, session.userId, request),
    endPaperWalletFollow: ({ id }, { session }) => endPaperWalletFollow(deps, session.userId, id),
    getMyPaperWalletFollows: (_request, { session }) => loadMyPaperWalletFollows(deps, session.userId),
  } satisfies Partial<Handlers>;
}
