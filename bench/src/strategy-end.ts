import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { SOL } from '../../apps/server/src/ledger/journal.ts';
import { endStrategy } from '../../apps/server/src/strategies/end-strategy.ts';
import { StrategyLifecycle } from '../../apps/server/src/strategies/lifecycle.ts';
import type { Strategies } from '../../apps/server/src/strategies/strategies.ts';
import { differencesToChain } from '../../apps/server/src/strategies/strategies-for-test.ts';
import type { Strategy } from '../../apps/server/src/strategies/strategy-store.ts';
import type { Trader, TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import { placeTransfer } from '../../apps/server/src/treasury/transfers/place-transfer.ts';
import { RETURN_LEGS_MAX } from '../../apps/server/src/treasury/transfers/transfer-costs.ts';
import { COMMITS_FINAL_TOPIC } from '../../apps/server/src/treasury/transfers/transfer.ts';
import { strategyWithCrowd } from './strategy-crowd.ts';

const ONE_SOL = 1_000_000_000n;
/** All of them together stay below what a strategy's wallet returns in a day against commits of the same day. */
const FOLLOW_LAMPORTS = ONE_SOL / 20n;
const BATCH = 50;
const BAR = 1.5;

/**
 * Ending a strategy that so many follow, until everybody has the SOL back and every book is closed, against a bare loop that sends as
 * many transactions of the same size and waits for each.
 */
export async function measureEnd(world: TradingWorld, deps: Strategies, follows: number) {
  const [creator] = await world.traders(1, 60n * ONE_SOL);
  const followers = await world.traders(follows, 2n * FOLLOW_LAMPORTS);
  const strategy = await strategyWithCrowd(world, deps, creator!, [], 0n);
  await commitAll(world, deps, strategy, followers);
  const transactions = Math.ceil(follows / RETURN_LEGS_MAX);
  const started = performance.now();
  await endStrategy(deps, strategy.id);
  const answeredMs = performance.now() - started;
  const lifecycle = new StrategyLifecycle(deps);
  while ((await openFollows(deps, strategy.id)) > 0) {
    await lifecycle.pass();
    await delay(100);
  }
  const endMs = performance.now() - started;
  const [sent] = await deps.database.query<{ count: number }>(
    `select count(distinct t.id)::int as count from transfer t join transfer_leg l on l.transfer_id = t.id
       join book k on k.id = l.from_book where t.kind = 'return' and k.kind = 'follow' and k.wallet_id = $1`,
    [strategy.walletId],
  );
  const differences = await differencesToChain(world);
  // Last, because nobody's books know of it.
  const bareMs = await bareLoop(world, followers, transactions);
  return {
    ok: endMs <= BAR * bareMs && Object.keys(differences).length === 0 && sent!.count === transactions,
    follows,
    transactions,
    sent: sent!.count,
    bareLoopMs: Math.round(bareMs),
    endMs: Math.round(endMs),
    answeredMs: Math.round(answeredMs),
    againstBareLoop: Math.round((endMs / bareMs) * 100) / 100,
    againstBareLoopBar: BAR,
    differences,
  };
}

/** As following does it: a commit of each on chain, which the signer must have seen to let it go again. */
async function commitAll(
  world: TradingWorld,
  deps: Strategies,
  strategy: Strategy,
  followers: readonly Trader[],
): Promise<void> {
  for (let start = 0; start < followers.length; start += BATCH) {
    const some = followers.slice(start, start + BATCH).map((trader) => ({ trader, bookId: randomUUID() }));
    const ids = await world.database.transaction(async (sql) => {
      await sql.write(
        `insert into book (id, user_id, wallet_id, kind, name) select id, user_id, $3, 'follow', 'Crowd'
         from unnest($1::uuid[], $2::uuid[]) v (id, user_id)`,
        [some.map(({ bookId }) => bookId), some.map(({ trader }) => trader.userId), strategy.walletId],
      );
      await sql.write(
        `insert into follow (id, user_id, strategy_id, book_id, mode, status, amount_lamports, slippage_bps, opened_at)
         select gen_random_uuid(), user_id, $3, id, 'sol', 'active', $4, 300, now()
         from unnest($1::uuid[], $2::uuid[]) v (id, user_id)`,
        [some.map(({ bookId }) => bookId), some.map(({ trader }) => trader.userId), strategy.id, FOLLOW_LAMPORTS],
      );
      const placed: string[] = [];
      for (const { trader, bookId } of some) {
        const id = randomUUID();
        const legs = [{ fromBookId: trader.bookId, toBookId: bookId, asset: SOL, amount: FOLLOW_LAMPORTS }];
        await placeTransfer(sql, { id, kind: 'commit', legs }, new Date());
        placed.push(id);
      }
      return placed;
    });
    await Promise.all(ids.map((id) => deps.transfers.run(id, { waitMs: 120_000 })));
    process.stderr.write(`${start + some.length} of ${followers.length} follow\n`);
  }
  for (;;) {
    const [open] = await deps.database.query<{ count: number }>(
      `select count(*)::int as count from transfer where kind = 'commit' and state <> 'finalized'`,
    );
    const [told] = await deps.database.query<{ count: number }>(
      `select count(*)::int as count from outbox where topic = $1 and done_at is null`,
      [COMMITS_FINAL_TOPIC],
    );
    if (open!.count + told!.count === 0) return;
    await delay(200);
  }
}

async function openFollows(deps: Strategies, strategyId: string): Promise<number> {
  const [row] = await deps.database.query<{ count: number }>(
    `select count(*)::int as count from follow where strategy_id = $1 and status <> 'closed'`,
    [strategyId],
  );
  return row!.count;
}

/** A program without books: the same transfers to the same people, one transaction after the other. */
async function bareLoop(world: TradingWorld, people: readonly Trader[], transactions: number): Promise<number> {
  const payer = Keypair.generate();
  await world.rpc.requestAirdrop(payer.address, ONE_SOL * 10n);
  const started = performance.now();
  for (let index = 0; index < transactions; index += 1) {
    const some = people.slice(index * RETURN_LEGS_MAX, (index + 1) * RETURN_LEGS_MAX);
    const { blockhash } = await world.rpc.getLatestBlockhash('confirmed');
    const instructions = some.map(({ address }) => transferSol({ from: payer.address, to: address, lamports: 1n }));
    const message = compileMessage({ feePayer: payer.address, recentBlockhash: blockhash, instructions });
    const signed = signTransaction(transactionFromMessage(message), [payer]);
    const signature = await world.rpc.sendTransaction(encodeTransaction(signed));
    for (;;) {
      const { value } = await world.rpc.getSignatureStatuses([signature]);
      if ((value[0]?.confirmationStatus ?? 'processed') !== 'processed') break;
      await delay(20);
    }
  }
  return performance.now() - started;
}
