import { waitAtMost } from '../../platform/clock.ts';
import type { Order } from '../../trading/order.ts';
import { orderView } from '../../trading/order-view.ts';
import { changeFunds } from '../../strategies/change-funds.ts';
import { cancelFollow } from '../../strategies/cancel-follow.ts';
import { createStrategy } from '../../strategies/create-strategy.ts';
import { endStrategy } from '../../strategies/end-strategy.ts';
import { followStrategy } from '../../strategies/follow-strategy.ts';
import { loadCreator } from '../../portfolio/creator-page.ts';
import { loadMyCopyProof } from '../../portfolio/copy-proof.ts';
import { loadCopyReceipts } from '../../portfolio/copy-receipts.ts';
import { loadMyFollows, viewFollow } from '../../strategies/reads/follow-views.ts';
import { previewCancel, previewFollow, previewStrategy } from '../../strategies/reads/previews.ts';
import { loadStrategyList } from '../../portfolio/strategy-cards.ts';
import { loadStrategyDetail } from '../../portfolio/strategy-detail.ts';
import { loadStrategyTrades } from '../../strategies/reads/strategy-trades.ts';
import { loadStrategyYield } from '../../strategies/reads/strategy-yield.ts';
import { rebalance } from '../../strategies/rebalance.ts';
import { endPaperFollow, loadMyPaperFollows, startPaperFollow } from '../../strategies/simulator/paper-follows.ts';
import { simulate } from '../../strategies/simulator/simulate.ts';
import type { Strategies } from '../../strategies/strategies.ts';
import { updateFollow } from '../../strategies/update-follow.ts';
import { loadOwnStrategy, loadStrategyById } from '../../strategies/strategy-store.ts';
import type { Handlers, SignedInCaller } from '../handlers.ts';

/** A money call waits this long for the end of what it began; the rest is told on the stream. */
const REPLY_WAIT_MS = 10_000;

export function strategyHandlers(
  strategies: Strategies,
  solUsd: () => string | null,
  followKey: (leafId: string) => Uint8Array,
) {
  const viewOrders = async (orders: readonly Order[]) => {
    const facts = await strategies.tokens.load(orders.map((order) => order.mint));
    return orders.map((order) => orderView(order, facts.get(order.mint)?.decimals ?? null));
  };
  return {
    getStrategyList: (request, { session }) => loadStrategyList(strategies, request, session?.userId ?? null),
    getStrategyDetail: ({ slug }, { session }) => loadStrategyDetail(strategies, slug, session?.userId ?? null),
    getCreator: ({ name }, { session }) => loadCreator(strategies, name, session?.userId ?? null),
    getStrategyYield: (request) => loadStrategyYield(strategies, request),
    getStrategyTrades: (request) => loadStrategyTrades(strategies, request),
    createStrategy: async (request, caller) => {
      const { strategy, orders } = await createStrategy(strategies, caller.session.userId, request, keyOf(caller));
      const { slug, bookId, status } = strategy;
      return { slug, bookId, status, orders: await viewOrders(orders) };
    },
    previewStrategy: (request) => previewStrategy(strategies, request),
    rebalance: async (request, caller) => {
      const done = await rebalance(strategies, caller.session.userId, request, keyOf(caller));
      return { lists: await viewOrders(done.orders), refused: done.refused, remaining: done.remaining };
    },
    closeStrategy: async ({ slug }, { session }) => {
      const { id } = await loadOwnStrategy(strategies.database, session.userId, slug);
      const ending = endStrategy(strategies, id);
      ending.catch((error: Error) => strategies.log.warn({ error: error.message }, 'ending is taken up later'));
      await waitAtMost(strategies.clock, REPLY_WAIT_MS, ending);
      const { status } = await loadStrategyById(strategies.database, id);
      return { slug, status };
    },
    followStrategy: async (request, caller) =>
      viewFollow(strategies, await followStrategy(strategies, caller.session.userId, request, keyOf(caller))),
    cancelFollow: async ({ slug, inKind }, { session }) =>
      viewFollow(strategies, await cancelFollow(strategies, session.userId, slug, { inKind })),
    changeFollowFunds: async (request, caller) =>
      viewFollow(strategies, await changeFunds(strategies, caller.session.userId, request, keyOf(caller))),
    updateFollow: async (request, { session }) =>
      viewFollow(strategies, await updateFollow(strategies, session.userId, request)),
    simulateFollow: (request) => simulate(strategies, request),
    startPaperFollow: (request, { session }) => startPaperFollow(strategies, session.userId, request),
    endPaperFollow: ({ id }, { session }) => endPaperFollow(strategies, session.userId, id),
    getMyPaperFollows: (request, { session }) => loadMyPaperFollows(strategies, session.userId, request),
    previewFollow: (request) => previewFollow(strategies, request),
    previewCancel: (request, { session }) => previewCancel(strategies, session.userId, request, solUsd()),
    getMyFollows: (request, { session }) => loadMyFollows(strategies, session.userId, request),
    getCopyReceipts: (request, { session }) => loadCopyReceipts(strategies, session.userId, request),
    getCopyProof: (request, { session }) => loadMyCopyProof(strategies, followKey, session.userId, request),
  } satisfies Partial<Handlers>;
}

/** Behind the idempotency wrapper the key is always there; without it a request is only like itself. */
function keyOf(caller: SignedInCaller): string {
  return caller.idempotencyKey ?? caller.requestId;
}
