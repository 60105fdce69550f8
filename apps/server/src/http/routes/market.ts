import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import type { Address } from '@hunter/solana/address';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres.ts';
import { SharedReads } from '../../platform/shared-reads.ts';
import type { NoticeStore } from '../../market/notices/notice-store.ts';
import type { TokenSafetyIndex } from '../../market/safety/token-safety-index.ts';
import type { MarketStore } from '../../market/market-store.ts';
import { loadBaseInfo } from '../../market/reads/base-info.ts';
import type { RiskOf } from '../../market/reads/hot-token.ts';
import { SERIES_LENGTH } from '../../market/reads/candle-series.ts';
import { loadKlines } from '../../market/reads/klines.ts';
import { loadPrices } from '../../market/reads/prices.ts';
import type { MarketReads } from '../../market/reads/market-reads.ts';
import { RECENT_MAX } from '../../market/reads/recent-trades.ts';
import { labelAs, loadHolders } from '../../market/reads/token-holders.ts';
import { loadTokenTrades } from '../../market/reads/token-trades.ts';
import { printMicroUsd } from '../../market/reads/token-views.ts';
import type { SolUsd } from '../../market/sol-usd.ts';
import type { TokenRow } from '../../market/token-directory.ts';
import type { Venue } from '../../venue/venue.ts';
import { CallerReadLimit } from '../caller-read-limit.ts';
import type { Handlers } from '../handlers.ts';

type MarketHandlers = Pick<
  Handlers,
  | 'getTokenList'
  | 'getTokenHotList'
  | 'getTokenBaseInfo'
  | 'getTokenTransactionData'
  | 'getTokenHolders'
  | 'getTokenGoldenDogNotice'
  | 'tokenPrice'
  | 'getTokenPools'
  | 'getTokenDiscover'
  | 'kline'
>;

const CANDLE_READS_PER_SECOND = 20;

export function marketHandlers(deps: {
  database: Database;
  store: MarketStore;
  reads: MarketReads;
  solUsd: SolUsd;
  clock: Clock;
  safety: TokenSafetyIndex;
  notices: NoticeStore;
  venue: Pick<Venue, 'poolAccounts' | 'profile'>;
  walletOf: (userId: string) => Promise<string>;
  /** Which of these addresses are wallets of strategies. */
  strategyWalletsAmong: (addresses: readonly string[]) => Promise<{ has: (address: string) => boolean }>;
  ownTrades: (
    userId: string,
    token: TokenRow,
    page: { cursor?: string | undefined; limit: number },
  ) => Promise<CallReply<'getTokenTransactionData'>>;
  watchlistOf: (userId: string) => Promise<string[]>;
  /** Reads of candles that are not in memory, per caller. */
  candleReadsPerSecond?: number;
}): MarketHandlers {
  const { database, store, reads, clock } = deps;
  // Candles that are not in memory cost a read of the database, and displace what others look at.
  const perSecond = deps.candleReadsPerSecond ?? CANDLE_READS_PER_SECOND;
  const candleReads = new CallerReadLimit(clock, { perSecond, atOnce: 4, waiting: 1_000 });
  // Sorts all holders of a token, and is the same for all who look at it.
  const holders = new SharedReads<CallReply<'getTokenHolders'>>();
  const riskOf: RiskOf = (mint, nameFlags) => deps.safety.levelOf(mint, nameFlags);
  const tokenOf = (mint: Address): TokenRow => {
    const token = store.tokens.get(mint);
    if (!token) throw new AppError('TOKEN_UNKNOWN');
    return token;
  };
  return {
    getTokenList: async (request) => reads.board.tokenList(request),
    getTokenHotList: async (request) => reads.board.hotList(request),
    getTokenDiscover: async (request, caller) => {
      if (request.list !== 'watchlist') return reads.discover.list(request, null);
      const { session } = caller;
      if (session === null) throw new AppError('UNAUTHENTICATED');
      return reads.discover.list(request, await deps.watchlistOf(session.userId));
    },
    getTokenBaseInfo: async ({ tokenContractAddress: mint }) => {
      const info = await loadBaseInfo(database, mint, riskOf, await deps.safety.badgesOf(tokenOf(mint)), {
        nowMs: clock.nowMs(),
        lagMs: reads.lagMs(),
      });
      if (!info) throw new AppError('TOKEN_UNKNOWN');
      return info;
    },
    getTokenTransactionData: async (request, caller) => {
      const token = tokenOf(request.tokenContractAddress);
      if (request.type === 'all') {
        const isFirst = request.cursor === undefined && request.limit <= RECENT_MAX;
        return isFirst ? reads.trades.page(token, request.limit) : loadTokenTrades(database, token, request);
      }
      if (!caller.session) throw new AppError('UNAUTHENTICATED');
      return deps.ownTrades(caller.session.userId, token, request);
    },
    getTokenHolders: async ({ tokenContractAddress, limit, sortBy }, caller) => {
      const own = caller.session ? await deps.walletOf(caller.session.userId) : null;
      const token = tokenOf(tokenContractAddress);
      const shown = await holders.read(`${token.id} ${limit} ${sortBy}`, async () => {
        const found = await loadHolders(database, token, { limit, sortBy });
        return labelAs('strategy', await deps.strategyWalletsAmong(found.lists.map(({ address }) => address)), found);
      });
      return own === null ? shown : labelAs('you', new Set([own]), shown);
    },
    getTokenGoldenDogNotice: (request) => deps.notices.list(request),
    tokenPrice: async ({ tokenContractAddress }) => {
      const sol = deps.solUsd.now();
      if (!sol) throw new AppError('UNAVAILABLE');
      return {
        lists: await loadPrices(database, tokenContractAddress, reads.lagMs()),
        solUsd: { price: printMicroUsd(sol.usdMicro), time: sol.atMs },
      };
    },
    getTokenPools: async ({ tokenContractAddress }) => {
      const pools = (await deps.venue.poolAccounts?.(tokenContractAddress)) ?? [];
      return {
        lists: pools.map(({ mint, address, vault, virtualLamports, virtualTokens, rentLamports }) => ({
          tokenContractAddress: mint,
          address,
          vault,
          virtualSol: virtualLamports.toString(),
          virtualTokens: virtualTokens.toString(),
          rentReserve: rentLamports.toString(),
          feeBps: deps.venue.profile.feeBps,
        })),
      };
    },
    kline: async (request, caller) => {
      const token = tokenOf(request.tokenContractAddress);
      const { interval, limit } = request;
      if (request.before !== undefined || limit > SERIES_LENGTH) {
        return candleReads.run(caller, () => loadKlines(database, token, request, clock.nowMs()));
      }
      const page = () => reads.candles.page(token, interval, limit);
      return reads.candles.isKept(token, interval) ? page() : candleReads.run(caller, page);
    },
  };
}
