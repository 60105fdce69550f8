import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { createStrategy } from '../../apps/server/src/strategies/create-strategy.ts';
import type { Strategies } from '../../apps/server/src/strategies/strategies.ts';
import type { Strategy } from '../../apps/server/src/strategies/strategy-store.ts';
import { loadWallet } from '../../apps/server/src/ledger/wallets.ts';
import { postEntries, SOL } from '../../apps/server/src/ledger/journal.ts';
import type { Trader, TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';

const CHUNK = 2_000;

/** A strategy in SOL with a crowd that follows it by SOL count: books, amounts and follows as following writes them, but in bulk. */
export async function strategyWithCrowd(
  world: TradingWorld,
  parts: Strategies,
  creator: Trader,
  followers: readonly Trader[],
  amountLamports: bigint,
): Promise<Strategy> {
  const { strategy } = await createStrategy(
    parts,
    creator.userId,
    {
      name: `Crowd ${followers.length}`,
      description: '',
      capital: lamports(50_000_000_000n),
      coins: [],
      autoClear: true,
    },
    randomUUID(),
  );
  await fund(world, strategy, amountLamports * BigInt(followers.length));
  for (let start = 0; start < followers.length; start += CHUNK) {
    await insertFollows(world, strategy, followers.slice(start, start + CHUNK), amountLamports);
  }
  return strategy;
}

/** The followers' SOL in the strategy's wallet, in one airdrop instead of a commit of each. */
async function fund(world: TradingWorld, strategy: Strategy, lamports: bigint): Promise<void> {
  if (lamports === 0n) return;
  const { address } = await loadWallet(world.database, strategy.walletId);
  await world.rpc.requestAirdrop(address, lamports);
}

async function insertFollows(
  world: TradingWorld,
  strategy: Strategy,
  followers: readonly Trader[],
  amount: bigint,
): Promise<void> {
  const bookIds = followers.map(() => randomUUID());
  await world.database.transaction(async (sql) => {
    await sql.write(
      `insert into book (id, user_id, wallet_id, kind, name) select id, user_id, $3, 'follow', 'Crowd'
       from unnest($1::uuid[], $2::uuid[]) v (id, user_id)`,
      [bookIds, followers.map((trader) => trader.userId), strategy.walletId],
    );
    await sql.write(
      `insert into follow (id, user_id, strategy_id, book_id, mode, status, amount_lamports, slippage_bps, opened_at)
       select gen_random_uuid(), user_id, $3, id, 'sol', 'active', $4, 300, now()
       from unnest($1::uuid[], $2::uuid[]) v (id, user_id)`,
      [bookIds, followers.map((trader) => trader.userId), strategy.id, amount],
    );
    await postEntries(
      sql,
      bookIds.map((bookId) => ({
        kind: 'deposit',
        reference: `crowd:${bookId}`,
        postings: [
          { bookId, account: 'cash' as const, asset: SOL, amount },
          { bookId: null, account: 'chain' as const, asset: SOL, amount: -amount },
        ],
      })),
    );
  });
}
