import { randomBytes, randomUUID } from 'node:crypto';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { addressBytes, type Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { encodeBase58 } from '@hunter/solana/base58';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { describe, expect, it } from 'vitest';
import { loadCash } from '../ledger/balances.ts';
import { loadWalletAmounts } from '../ledger/wallet-balance.ts';
import { openBook } from '../ledger/books.ts';
import { postEntries, type Posting, type Asset } from '../ledger/journal.ts';
import { recordFills } from '../ledger/positions.ts';
import type { WalletPart } from '../ledger/wallet-part.ts';
import { insertWallet, loadWallet } from '../ledger/wallets.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { Reconciliation, type ReconciliationDeps } from './reconciliation.ts';
import { approveSettlement, loadOpenAlarms, proposeSettlement, type Compare } from './settle-difference.ts';

const anAddress = () => encodeBase58(randomBytes(32)) as Address;
const mint = anAddress();
/** A token account as the chain keeps it. */
function tokenData(owner: Address, amount: bigint): Uint8Array {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint));
  data.set(addressBytes(owner), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  return data;
}

/** A node where every wallet has seven lamports and three of one token, and a stranger has handed an account with more over. */
const calls = { multiple: 0, byOwner: 0 };
const ownerOf = new Map<Address, Address>();
const rpc = {
  getBalance: async () => ({ value: 7n, contextSlot: 5n }),
  getMultipleAccounts: async (addresses: readonly Address[]) => {
    calls.multiple += 1;
    const value = addresses.map((account) => {
      const owner = ownerOf.get(account);
      if (owner === undefined)
        return { lamports: 7n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
      return { lamports: 2n, owner: TOKEN_PROGRAM, data: tokenData(owner, 3n), executable: false };
    });
    return { value, contextSlot: 5n };
  },
  getTokenAccountsByOwner: async (owner: Address, { programId }: { programId: string }) => {
    calls.byOwner += 1;
    const account = { mint, amount: 3n, tokenProgram: TOKEN_PROGRAM };
    const own = { ...account, address: associatedTokenAddress(owner, mint) };
    const foreign = { ...account, amount: 1_000n, address: anAddress() };
    return { value: programId === TOKEN_PROGRAM ? [own, foreign] : [], contextSlot: 5n };
  },
} as unknown as RpcClient;

describe('reconciliation', () => {
  let database: Database;
  useTestDatabase((opened) => {
    database = opened;
  });

  async function aWallet(): Promise<string> {
    const id = randomUUID();
    await database.write(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [id, id],
    );
    await insertWallet(database, { id, userId: id, kind: 'strategy', address: anAddress(), sealedKey: '' });
    return id;
  }
  const reconciliation = (overrides: Partial<ReconciliationDeps> = {}, part?: WalletPart) =>
    new Reconciliation(
      {
        database,
        rpc,
        clock: systemClock,
        log: createLog('silent'),
        report: () => {},
        accountsBetween: async () => [],
        ...overrides,
      },
      part,
    );

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
      `select wallet_id as "walletId", asset from reconciliation_alarm where wallet_id = $1 order by asset <> 'SOL'`,
      [walletId],
    );
    expect(alarms).toEqual([
      { walletId, asset: 'SOL' },
      { walletId, asset: mint },
    ]);
  });

  it('raises an alarm that could not be written with a later look', async () => {
    const wallet = await loadWallet(database, await aWallet());
    let nowMs = Date.now();
    let failures = 0;
    const failing = new Proxy(database, {
      get: (target, name) => {
        const method = (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
        if (name !== 'write') return method;
        return (text: string, values: unknown[]) => {
          if (!text.includes('insert into reconciliation_alarm') || failures > 0) return method(text, values);
          failures += 1;
          return Promise.reject(new Error('the database is away'));
        };
      },
    });
    const subject = reconciliation({ database: failing, clock: { ...systemClock, nowMs: () => nowMs } });
    for (let look = 0; look < 12; look += 1) {
      nowMs += 60_000;
      await subject.check(wallet).catch(() => null);
    }
    expect(failures).toBe(1);
    const alarms = (await loadOpenAlarms(database)).filter(({ walletId }) => walletId === wallet.walletId);
    expect(alarms.map(({ asset }) => asset).sort()).toEqual(['SOL', mint].sort());
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

  it('counts what is set aside, and lets only what is sent explain a difference', async () => {
    const walletId = await aWallet();
    const wallet = await loadWallet(database, walletId);
    const { id: bookId } = await openBook(database, { userId: walletId, walletId, kind: 'strategy', name: 'Strategy' });
    const post = (reference: string, account: 'cash' | 'held', asset: Asset, amount: bigint) =>
      postEntries(database, [
        {
          kind: 'deposit',
          reference: `${walletId} ${reference}`,
          postings: [
            { bookId, account, asset, amount },
            { bookId: null, account: 'external', asset, amount: -amount },
          ],
        },
      ]);
    await post('free', 'cash', 'SOL', 4n);
    await post('held by a trigger', 'held', 'SOL', 3n);
    await post('tokens', 'held', mint, 3n);
    expect(await reconciliation().check(wallet)).toEqual(new Map());
    await post('too much', 'held', 'SOL', 1n);
    expect(await reconciliation().check(wallet)).toEqual(new Map([['SOL', -1n]]));
    await database.write(
      `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height, sender)
       values ($1, 'withdrawal', $1, 1, $2, '\\x00', 1, '')`,
      [walletId, wallet.address],
    );
    expect(await reconciliation().check(wallet)).toBeNull();
  });

  it('waits for the finality of a trade, but not for ever', async () => {
    const walletId = await aWallet();
    const wallet = await loadWallet(database, walletId);
    const { id: bookId } = await openBook(database, { userId: walletId, walletId, kind: 'strategy', name: 'Strategy' });
    await database.write(
      `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state, settled_at)
       values (gen_random_uuid(), $1, $2, $1, 'trade', 'buy', 'mint', 1, 1, 1, 'confirmed', now())`,
      [walletId, bookId],
    );
    expect(await reconciliation().check(wallet)).toBeNull();
    await database.write(`update trade_order set settled_at = now() - interval '11 minutes' where wallet_id = $1`, [
      walletId,
    ]);
    expect(await reconciliation().check(wallet)).not.toBeNull();
  });

  it('compares all wallets by their known accounts, and asks for those of a wallet on its own only where it differs', async () => {
    const same = await loadWallet(database, await aWallet());
    const other = await loadWallet(database, await aWallet());
    const { id: bookId } = await openBook(database, { ...same, kind: 'strategy', name: 'Strategy' });
    const { id: secondBookId } = await openBook(database, { ...same, kind: 'follow', name: 'Follow' });
    const deposit = (into: string, asset: Asset, amount: bigint): Posting[] => [
      { bookId: into, account: 'cash', asset, amount },
      { bookId: null, account: 'external', asset, amount: -amount },
    ];
    const postings = [
      ...deposit(bookId, 'SOL', 5n),
      ...deposit(secondBookId, 'SOL', 2n),
      ...deposit(bookId, mint, 1n),
      ...deposit(secondBookId, mint, 2n),
    ];
    await postEntries(database, [{ kind: 'deposit', reference: bookId, postings }]);
    const account = associatedTokenAddress(same.address, mint);
    ownerOf.set(account, same.address);
    const looked: string[] = [];
    const subject = reconciliation({
      accountsBetween: async () => [{ walletId: same.walletId, address: account }],
      inTransfer: async () => new Set(),
      rpc: {
        getMultipleAccounts: (addresses: Address[]) => rpc.getMultipleAccounts(addresses),
        getTokenAccountsByOwner: rpc.getTokenAccountsByOwner.bind(rpc),
        getBalance: async (address: Address) => (looked.push(address), { value: 7n, contextSlot: 5n }),
      } as never,
    });
    await subject.pass();
    expect(looked).toContain(other.address);
    expect(looked).not.toContain(same.address);
    // Looked at on its own it agrees as well: what a stranger handed over does not count.
    expect(await subject.check(same)).toEqual(new Map());
  });

  describe('an alarm', () => {
    async function alarmed(amount: bigint): Promise<{ walletId: string; bookId: string }> {
      const walletId = await aWallet();
      const { id: bookId } = await openBook(database, {
        userId: walletId,
        walletId,
        kind: 'strategy',
        name: 'Strategy',
      });
      await postEntries(database, [
        {
          kind: 'deposit',
          reference: bookId,
          postings: [
            { bookId, account: 'cash', asset: mint, amount: 100n },
            { bookId: null, account: 'external', asset: mint, amount: -100n },
          ],
        },
      ]);
      await database.write(
        `insert into reconciliation_alarm (wallet_id, user_id, asset, books, chain, slot) values ($1, $1, $2, 100, $3, 1)`,
        [walletId, mint, 100n + amount],
      );
      return { walletId, bookId };
    }
    const cash = async (bookId: string) => loadCash(database, bookId, mint);
    const proposal = { asset: mint, cause: 'an airdrop of the token itself', operator: 'ada' };
    /** As the books are now, with so many tokens on chain. */
    const onChain =
      (tokens: bigint): Compare =>
      async (sql, { walletId }) => {
        const books = (await loadWalletAmounts(sql, walletId)).find(({ asset }) => asset === mint)?.amount ?? 0n;
        return { assets: [{ asset: mint, books, chain: tokens }], slot: 1n };
      };

    it('ends with an entry that has its cause, once an operator settles it', async () => {
      const { walletId, bookId } = await alarmed(-30n);
      const done = await proposeSettlement(
        database,
        onChain(70n),
        { ...proposal, walletId, bookId: null, difference: -30n },
        { operatorsNeeded: 1 },
      );
      expect(done).toMatchObject({ amount: -30n, isPosted: true });
      expect(await cash(bookId)).toBe(70n);
      const open = await database.query(
        `select 1 from reconciliation_alarm where wallet_id = $1 and resolved_at is null`,
        [walletId],
      );
      expect(open).toEqual([]);
      const [entry] = await database.query(
        `select memo from journal_entry where kind = 'settlement' and reference = $1`,
        [String(done.id)],
      );
      expect(entry).toEqual({ memo: proposal.cause });
    });

    it('counts tokens that are gone with what they had cost, as any that left', async () => {
      const { walletId, bookId } = await alarmed(-30n);
      const bought = { tokens: baseUnits(100n), lamports: lamports(990n), feeLamports: lamports(10n) };
      const row = { userId: walletId, bookId, mint, at: new Date() };
      await recordFills(database, [{ ...row, reference: `bought ${bookId}`, fill: { kind: 'buy', ...bought } }]);
      const missing = { ...proposal, walletId, bookId: null, difference: -30n };
      await proposeSettlement(database, onChain(70n), missing, { operatorsNeeded: 1 });
      const sent = await database.query(`select cost_lamports as cost from fill where book_id = $1 and kind = 'sent'`, [
        bookId,
      ]);
      expect(sent).toEqual([{ cost: 300n }]);
    });

    it('waits for a second operator where two are needed', async () => {
      const { walletId, bookId } = await alarmed(30n);
      const proposed = await proposeSettlement(
        database,
        onChain(130n),
        { ...proposal, walletId, bookId, difference: 30n },
        { operatorsNeeded: 2 },
      );
      expect(proposed.isPosted).toBe(false);
      const [alarm] = (await loadOpenAlarms(database)).filter((open) => open.walletId === walletId);
      expect(alarm?.proposal).toEqual({ id: proposed.id, by: 'ada', cause: proposal.cause });
      expect(await cash(bookId)).toBe(100n);
      const approve = (operator: string, tokens = 130n) =>
        approveSettlement(database, onChain(tokens), proposed.id, operator);
      await expect(approve('ada')).rejects.toThrow('another operator');
      await expect(approve('grace', 120n)).rejects.toThrow('the difference is 20 now and not 30 any more');
      await approve('grace');
      expect(await cash(bookId)).toBe(130n);
      await expect(approve('grace')).rejects.toThrow('no such proposal');
      const audit = await database.query(
        `select event, address from audit_event where event like 'settlement-%' and detail like $1 order by id`,
        [`${proposed.id} %`],
      );
      expect(audit).toEqual([
        { event: 'settlement-proposed', address: 'ada' },
        { event: 'settlement-posted', address: 'grace' },
      ]);
    });

    it('is not settled without a cause, without an alarm or from a book of another wallet', async () => {
      const { walletId } = await alarmed(5n);
      const other = await alarmed(5n);
      const propose = (over: object) =>
        proposeSettlement(
          database,
          onChain(105n),
          { ...proposal, walletId, bookId: null, difference: 5n, ...over },
          { operatorsNeeded: 1 },
        );
      await expect(propose({ cause: ' ' })).rejects.toThrow('cause');
      await expect(propose({ asset: 'SOL' })).rejects.toThrow('no open alarm');
      await expect(propose({ bookId: other.bookId })).rejects.toThrow('not in this wallet');
    });

    it('is not settled by a difference that is another one by now, or while something is on its way', async () => {
      const { walletId, bookId } = await alarmed(30n);
      const propose = (compare: Compare) =>
        proposeSettlement(
          database,
          compare,
          { ...proposal, walletId, bookId: null, difference: 30n },
          { operatorsNeeded: 1 },
        );
      await expect(propose(async () => null)).rejects.toThrow('something is on its way');
      // What was missing in the books has been booked since; the alarm is open until the next look.
      await postEntries(database, [
        {
          kind: 'deposit',
          reference: `late ${bookId}`,
          postings: [
            { bookId, account: 'cash', asset: mint, amount: 30n },
            { bookId: null, account: 'external', asset: mint, amount: -30n },
          ],
        },
      ]);
      await expect(propose(onChain(130n))).rejects.toThrow('the difference is 0 now and not 30 any more');
      expect(await cash(bookId)).toBe(130n);
    });

    it('is settled with the books locked: what is booked at the same moment waits', async () => {
      const { walletId, bookId } = await alarmed(30n);
      let posting: Promise<unknown> | undefined;
      const compare: Compare = async (sql, wallet) => {
        posting = postEntries(database, [
          {
            kind: 'deposit',
            reference: `meanwhile ${bookId}`,
            postings: [
              { bookId, account: 'cash', asset: mint, amount: 1n },
              { bookId: null, account: 'external', asset: mint, amount: -1n },
            ],
          },
        ]);
        await expect
          .poll(() =>
            database.query(
              `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
            ),
          )
          .toHaveLength(1);
        return onChain(130n)(sql, wallet);
      };
      const proposed = { ...proposal, walletId, bookId, difference: 30n };
      await proposeSettlement(database, compare, proposed, { operatorsNeeded: 1 });
      await posting;
      expect(await cash(bookId)).toBe(131n);
    });
  });

  it('looks at every wallet in one of its parts, and in no other', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => aWallet()));
    const addresses = (await Promise.all(ids.map((id) => loadWallet(database, id)))).map(({ address }) => address);
    const asked: Address[] = [];
    const recording = new Proxy(rpc, {
      get: (target, name) =>
        name === 'getMultipleAccounts'
          ? (of: Address[]) => (asked.push(...of), target.getMultipleAccounts(of))
          : Reflect.get(target, name).bind(target),
    });
    for (const index of [0, 1, 2, 3]) {
      const subject = reconciliation({ rpc: recording }, { index, of: 4 });
      await subject.pass();
    }
    expect(asked).toHaveLength(new Set(asked).size);
    expect(asked).toEqual(expect.arrayContaining(addresses));
  });
});
