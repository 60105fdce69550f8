import { printSol } from '@hunter/domain/lamports';
import { raiseAlerts, type NewAlert } from '../alerts/raise-alerts.ts';
import type { StoredTrade } from '../market/stored-trade.ts';
import type { TokenSymbols } from '../treasury/wallet-movements.ts';
import type { Database } from '../platform/postgres.ts';

/** Trades of the past that are read in after a start are no news. */
const FRESH_MS = 2 * 60_000;
/** A wallet that trades one token all the time is told once in this time, by side. */
const REPEAT_MS = 10 * 60_000;

type TrackedTrade = Pick<StoredTrade, 'wallet' | 'mint' | 'isBuy' | 'lamports' | 'atMs' | 'signature'>;

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
