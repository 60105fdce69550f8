import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBook } from '../ledger/books.ts';
import { insertWallet } from '../ledger/wallets.ts';
import { systemClock } from '../platform/clock.ts';
import { newTrader, type Trader, type TradingWorld } from '../trading/world-for-test.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import { triggersOn, type TestTriggers } from './triggers-for-test.ts';
import { SOL, triggerSteps } from './trigger-steps-for-test.ts';

let world: TradingWorld;
let triggers: TestTriggers;
let laterMs = 0;

useTradingWorld((started) => {
  world = started;
});

beforeAll(async () => {
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs };
  triggers = await triggersOn(world, { trading: { clock } });
});

const { aTrader, order, place, mine, passUntilQuiet } = triggerSteps(() => ({ world, triggers, whale: newTrader() }));

/** A purchase of the trader's own strategy that is on its way. */
async function purchaseInStrategy({ userId }: Trader): Promise<string> {
  const id = randomUUID();
  await world.database.transaction(async (sql) => {
    const walletId = randomUUID();
    const wallet = { id: walletId, userId, kind: 'strategy', address: newTrader().address, sealedKey: '' } as const;
    await insertWallet(sql, wallet);
    const { id: bookId } = await openBook(sql, { userId, walletId, kind: 'strategy', name: 'Own' });
    await sql.write(
      `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, is_round, state)
       values ($1, $2, $3, $4, 'trade', 'buy', $5, 1, 1, 100, true, 'sent')`,
      [id, userId, bookId, walletId, world.mint],
    );
  });
  return id;
}

describe("a creator's own stop", () => {
  it('waits while his strategy is buying the coin, and sells ten minutes later', async () => {
    const [creator, other] = [await aTrader(), await aTrader()];
    for (const trader of [creator, other]) {
      await order(trader, 'buy', SOL);
      await place(trader, [{ kind: 'stop-loss', level: { unit: 'usd', value: '1000000' } }]);
    }
    const purchaseId = await purchaseInStrategy(creator);
    await passUntilQuiet(other);
    expect(await mine(other, 'ended')).toMatchObject([{ outcome: 'filled' }]);
    expect(await mine(creator, 'open')).toMatchObject([{ state: 'open', firings: 0 }]);
    await world.database.write(`update trade_order set state = 'dead' where id = $1`, [purchaseId]);
    laterMs += 10 * 60_000;
    expect(await passUntilQuiet(creator)).toMatchObject([{ outcome: 'filled', firings: 1 }]);
  }, 60_000);
});
