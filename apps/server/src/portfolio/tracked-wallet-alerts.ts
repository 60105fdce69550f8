import { printSol } from '@hunter/domain/numbers/lamports';
import { raiseAlerts, type NewAlert } from '../alerts/raise-alerts.ts';
import type { StoredTrade } from '../market/stored-trade.ts';
import type { TokenSymbols } from '../treasury/wallet-movements.ts';
import type { Database } from '../platform/postgres.ts';

/** Trades of the past that are read in after a start are no news. */
const FRESH_MS = 2 * 60_000;
/** A wallet that trades one token all the time is told once in this time, by side. */
const REPEAT_MS = 10 * 60_000;

type TrackedTrade = Pick<StoredTrade, 'wallet' | 'mint' | 'isBuy' | 'lamports' | 'atMs' | 'signature'>;

/** After a start: what was stored right before, and perhaps not told. What was told is not told again. */
export async function tellRecentTrackedTrades(
  deps: { database: Database; symbols: TokenSymbols },
  nowMs: number,
): Promise<void> {
  const trades = await deps.database.query<TrackedTrade>(
    `select r.address as wallet, t.mint, x.is_buy as "isBuy", x.lamports,
       (extract(epoch from x.at) * 1000)::float8 as "atMs", x.signature
     from (select distinct address from tracked_wallet) w join trader r using (address)
     join trade x on x.trader_id = r.id join token t on t.id = x.token_id
     where x.at > $1 order by x.seq`,
    [new Date(nowMs - FRESH_MS)],
  );
  await tellTrackedTrades(deps, trades, nowMs);
}

/** Tells whoever tracks a wallet what it bought or sold. */
export async function tellTrackedTrades(
  { database, symbols }: { database: Database; symbols: TokenSymbols },
  trades: readonly TrackedTrade[],
  nowMs: number,
): Promise<void> {
  const fresh = trades.filter(({ atMs }) => nowMs - atMs < FRESH_MS);
  if (fresh.length === 0) return;
  const tracking = await database.query<{ userId: string; address: string; name: string }>(
    `select user_id as "userId", address, name from tracked_wallet where address = any($1::text[])`,
    [[...new Set(fresh.map(({ wallet }) => wallet))]],
  );
  if (tracking.length === 0) return;
  const names = await symbols(fresh.map(({ mint }) => mint));
  const alerts = tracking.flatMap(({ userId, address, name }) =>
    fresh
      .filter(({ wallet }) => wallet === address)
      .map(({ mint, isBuy, lamports, atMs, signature }): NewAlert => {
        const side = isBuy ? 'buy' : 'sell';
        return {
          userId,
          reference: `${address} ${mint} ${side} ${Math.floor(atMs / REPEAT_MS)}`,
          body: {
            kind: 'wallet',
            address,
            name,
            tokenContractAddress: mint,
            tokenSymbol: names.get(mint) ?? mint.slice(0, 4),
            side,
            solAmount: printSol(lamports),
            txHash: signature,
          },
        };
      }),
  );
  await database.transaction((sql) => raiseAlerts(sql, alerts));
}
