import { AppError } from '@hunter/contract/app-error';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres.ts';
import type { NoticeBook } from '../../market/notices/notice-book.ts';
import type { TokenSafetyIndex } from '../../market/safety/token-safety-index.ts';
import type { MarketStore } from '../../market/market-store.ts';
import { loadBaseInfo } from '../../market/reads/base-info.ts';
import { loadHotList, type RiskOf } from '../../market/reads/hot-list.ts';
import { loadKlines } from '../../market/reads/klines.ts';
import { loadPrices } from '../../market/reads/prices.ts';
import { SharedAnswers } from '../../market/reads/shared-answers.ts';
import { loadHolders } from '../../market/reads/token-holders.ts';
import { loadTokenList } from '../../market/reads/token-list.ts';
import { loadTokenTrades } from '../../market/reads/token-trades.ts';
import { printMicroUsd } from '../../market/reads/token-views.ts';
import type { SolUsd } from '../../market/sol-usd.ts';
import type { TokenRow } from '../../market/token-directory.ts';
import type { Handlers } from '../handlers.ts';

/** The hot list and search move with the windows, every few seconds; trades and candles with every slot. */
const LIST_MS = 1_000;
const LIVE_MS = 300;

type MarketHandlers = Pick<
  Handlers,
  | 'getTokenList'
  | 'getTokenHotList'
  | 'getTokenBaseInfo'
  | 'getTokenTransactionData'
  | 'getTokenHolders'
  | 'getTokenGoldenDogNotice'
  | 'tokenPrice'
  | 'kline'
>;

export function marketHandlers(parts: {
  database: Database;
  store: MarketStore;
  solUsd: SolUsd;
  clock: Clock;
  safety: TokenSafetyIndex;
  notices: NoticeBook;
  walletOf: (userId: string) => Promise<string>;
}): MarketHandlers {
  const { database, store, clock } = parts;
  const shared = new SharedAnswers(clock);
  const riskOf: RiskOf = (mint, nameFlags) => parts.safety.levelOf(mint, nameFlags);
  const tokenOf = (mint: string): TokenRow => {
    const token = store.tokens.get(mint);
    if (!token) throw new AppError('TOKEN_UNKNOWN');
    return token;
  };
  return {
    getTokenList: (request) =>
      shared.get(`list ${request.pageNo} ${request.pageSize} ${request.keyword}`, LIST_MS, () =>
        loadTokenList(database, store.tokens, request),
      ),
    getTokenHotList: (request) =>
      shared.get(`hot ${request.period} ${request.sortBy} ${request.limit}`, LIST_MS, () =>
        loadHotList(database, request, riskOf),
      ),
    getTokenBaseInfo: async ({ tokenContractAddress: mint }) => {
      const info = await loadBaseInfo(database, mint, riskOf, await parts.safety.badgesOf(tokenOf(mint)));
      if (!info) throw new AppError('TOKEN_UNKNOWN');
      return info;
    },
    getTokenTransactionData: async (request, caller) => {
      const token = tokenOf(request.tokenContractAddress);
      if (request.type === 'all') {
        return shared.get(`trades ${token.id} ${request.limit} ${request.cursor ?? ''}`, LIVE_MS, () =>
          loadTokenTrades(database, token, request),
        );
      }
      if (!caller.session) throw new AppError('UNAUTHENTICATED');
      return loadTokenTrades(database, token, { ...request, wallet: await parts.walletOf(caller.session.userId) });
    },
    getTokenHolders: async ({ tokenContractAddress, limit }, caller) => {
      const own = caller.session ? await parts.walletOf(caller.session.userId) : null;
      return loadHolders(database, tokenOf(tokenContractAddress), limit, own);
    },
    getTokenGoldenDogNotice: (request) => parts.notices.list(request),
    tokenPrice: async ({ tokenContractAddress }) => {
      const sol = parts.solUsd.now();
      if (!sol) throw new AppError('UNAVAILABLE');
      return {
        lists: await loadPrices(database, tokenContractAddress),
        solUsd: { price: printMicroUsd(sol.usdMicro), time: sol.atMs },
      };
    },
    kline: async (request) => {
      const token = tokenOf(request.tokenContractAddress);
      return shared.get(`kline ${token.id} ${request.interval} ${request.limit} ${request.before ?? ''}`, LIVE_MS, () =>
        loadKlines(database, token, request, clock.nowMs()),
      );
    },
  };
}
