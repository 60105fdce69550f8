import { randomUUID } from 'node:crypto';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { describe, expect, it } from 'vitest';
import { openBook } from '../ledger/books.ts';
import { insertWallet, loadWallet } from '../ledger/wallets.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { Reconciliation } from './reconciliation.ts';

/** A node where every wallet has seven lamports and three of one token. */
const mint = 'mint';
const rpc = {
  getBalance: async () => ({ value: 7n, contextSlot: 5n }),
  getTokenAccountsByOwner: async (_owner: string, { programId }: { programId: string }) => ({
    value: programId.startsWith('Tokenkeg') ? [{ mint, amount: 3n }] : [],
    contextSlot: 5n,
  }),
} as unknown as RpcClient;

describe('reconciliation', () => {
  let database: Database;
  useTestDatabase((opened) => {
    database = opened;
  });

  async function aWallet(): Promise<string> {
    const id = randomUUID();
    await database.query(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [id, id],
    );
    await insertWallet(database, { id, userId: id, kind: 'strategy', address: id, sealedKey: '' });
    return id;
  }
  const reconciliation = (overrides: Partial<ConstructorParameters<typeof Reconciliation>[0]> = {}) =>
    new Reconciliation({ database, rpc, clock: systemClock, log: createLog('silent'), report: () => {}, ...overrides });

  it('finds differences of strategy wallets, in tokens too, and reports over how many assets there are any', async () => {
    const walletId = await aWallet();
    const reports: [bigint, number][] = [];
    let nowMs = Date.now();
    const clock = { ...systemClock, nowMs: () => nowMs };
    const subject = reconciliation({ clock, report: (...report) => reports.push(report) });
    for (let look = 0; look < 12; look += 1) {
      nowMs += 60_000;
      await subject.pass();
    }
    expect(reports.at(-1)).toEqual([7n, 2]);
    const alarms = await database.query(
      `select wallet_id as "walletId", asset from reconciliation_alarm where wallet_id = $1 order by asset`,
      [walletId],
    );
    expect(alarms).toEqual([
      { walletId, asset: 'SOL' },
      { walletId, asset: mint },
    ]);
  });

  it('leaves wallets alone while a transfer from or to them is on its way', async () => {
    const wallet = await loadWallet(database, await aWallet());
    expect(await reconciliation().check(wallet)).toEqual(
      new Map([
        ['SOL', 7n],
        [mint, 3n],
      ]),
    );
    const inTransfer = async () => new Set([wallet.walletId]);
    expect(await reconciliation({ inTransfer }).check(wallet)).toBeNull();
  });

  it('waits for the finality of a trade, but not for ever', async () => {
    const walletId = await aWallet();
    const wallet = await loadWallet(database, walletId);
    const { id: bookId } = await openBook(database, { userId: walletId, walletId, kind: 'strategy', name: 'Strategy' });
    await database.query(
      `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state, settled_at)
       values (gen_random_uuid(), $1, $2, $1, 'trade', 'buy', 'mint', 1, 1, 1, 'confirmed', now())`,
      [walletId, bookId],
    );
    expect(await reconciliation().check(wallet)).toBeNull();
    await database.query(`update trade_order set settled_at = now() - interval '11 minutes' where wallet_id = $1`, [
      walletId,
    ]);
    expect(await reconciliation().check(wallet)).not.toBeNull();
  });
});
