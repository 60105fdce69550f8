import { AppError } from '@hunter/contract/app-error';
import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { hideToken } from '../../accounts/hidden-tokens.ts';
import { loadAccount, loadForeign, loadPositions } from '../../portfolio/account-reads.ts';
import { loadEquity } from '../../portfolio/equity-points.ts';
import { loadFirstSteps } from '../../portfolio/first-steps.ts';
import { fillsCsv } from '../../portfolio/fills-csv.ts';
import { loadPortfolio } from '../../portfolio/portfolio.ts';
import { loadRealized } from '../../portfolio/realized.ts';
import { loadStrategyRecord } from '../../portfolio/strategy-record.ts';
import { tradeRecordCsv } from '../../portfolio/trade-record-csv.ts';
import { loadTradeRecord } from '../../portfolio/trade-record.ts';
import type { Strategies } from '../../strategies/strategies.ts';
import type { Trading } from '../../trading/trading.ts';
import type { Authenticate, Handlers } from '../handlers.ts';

export function portfolioHandlers(trading: Trading, strategies: Strategies) {
  return {
    getMyPositions: (request, { session }) => loadPositions(trading, session.userId, request),
    hideToken: async ({ tokenContractAddress, hidden }, { session }) => {
      await hideToken(trading.database, session.userId, tokenContractAddress, hidden);
      return {};
    },
    getMyForeignAccounts: (_request, { session }) => loadForeign(trading, session.userId),
    getMyAccount: (_request, { session }) => loadAccount(trading, session.userId),
    getMyEquity: (request, { session }) => loadEquity(trading, session.userId, request),
    getMyPortfolio: (_request, { session }) => loadPortfolio(trading, session.userId),
    getMyFirstSteps: (_request, { session }) => loadFirstSteps(trading.database, session.userId),
    getMyRealized: (request, { session }) => loadRealized(trading.database, session.userId, request),
    getMyTradeRecord: (request, { session }) =>
      request.type === 'trade'
        ? loadTradeRecord(trading, session.userId, request)
        : loadStrategyRecord(strategies, session.userId, request),
  } satisfies Partial<Handlers>;
}

const EXPORT_AGAIN_SECONDS = 5;

/** Records as files. They are no JSON calls, so they stand beside the contract. One at a time for each user. */
export function registerExports(app: FastifyInstance, trading: Trading, authenticate: Authenticate): void {
  const exporting = new Set<string>();
  const files = [
    ['/api/user/getMyTradeRecord.csv', 'hunter-trade-record.csv', tradeRecordCsv],
    ['/api/user/getMyFills.csv', 'hunter-fills.csv', fillsCsv],
  ] as const;
  for (const [path, file, write] of files) {
    app.get(path, async (request, reply) => {
      const token = request.headers['token'];
      const session = typeof token === 'string' && token !== '' ? await authenticate(token) : null;
      if (!session) throw new AppError('UNAUTHENTICATED');
      const { userId } = session;
      if (exporting.has(userId)) throw new AppError('RATE_LIMITED', { retryAfterSeconds: EXPORT_AGAIN_SECONDS });
      exporting.add(userId);
      const lines = Readable.from(write(trading, userId));
      lines.once('close', () => exporting.delete(userId));
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${file}"`)
        .header('cache-control', 'no-store')
        .send(lines);
    });
  }
}
