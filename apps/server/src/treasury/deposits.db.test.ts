import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RegisteredUser } from '../accounts/accounts-for-test.ts';
import { loadBalances } from '../ledger/balances.ts';
import { loadBooks } from '../ledger/books.ts';
import { loadSolBalances } from '../ledger/wallet-balance.ts';
import { ALL_WALLETS, rangeOf } from '../ledger/wallet-part.ts';
import { insertWallet, loadWalletByAddress } from '../ledger/wallets.ts';
import { createLog } from '../platform/log.ts';
import { anAddress } from './chain-for-test.ts';
import { countUnreadable, loadForeignAccounts } from './odd-arrivals.ts';
import { scanAddress } from './scan-address.ts';
import { settleMovements, type SettleDeps } from './settle-movements.ts';
import { TreasuryUnderTest } from './treasury-for-test.ts';
import { loadLinkedAddresses } from './wallet-links.ts';
import { recordSeen, type MovementRow } from './wallet-movements.ts';

const SOL = 1_000_000_000n;
const RESCAN = new URL('../../migrations/0014-rescan-user-to-user.sql', import.meta.url);

describe('deposits of wallets that two processes share', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  it('are found once each, those of new wallets too, and wait for whoever takes a part over', async () => {
    await test.deposits.stop();
    await test.startDeposits({ index: 0, of: 2 });
    const first = test.deposits;
    await test.startDeposits({ index: 1, of: 2 });
    const second = test.deposits;
    const halves: RegisteredUser[][] = [[], []];
    while (halves.some((users) => users.length < 2)) {
      const user = await test.accounts.register(`half-${randomUUID()}@example.com`);
      const wallet = user.wallet.address as Address;
      const { walletId } = (await loadWalletByAddress(test.accounts.database, wallet))!;
      halves[walletId < '8' ? 0 : 1]!.push(user);
      for (const watch of [first, second]) await watch.add(wallet);
      test.chain.airdrop(wallet, SOL);
    }
    const statuses = ({ userId }: RegisteredUser) =>
      test.told
        .filter((one) => one.channel === 'deposits' && one.userId === userId)
        .map((one) => (one.data as { status: string }).status);
    for (const user of halves.flat()) {
      await test.until(async () => (await test.sol(user)).cash === SOL);
      await test.until(() => statuses(user).length >= 2);
      expect(statuses(user)).toEqual(['seen', 'finalized']);
    }
    await first.stop();
    for (const user of halves.flat()) test.chain.airdrop(user.wallet.address as Address, SOL);
    for (const user of halves[1]!) await test.until(async () => (await test.sol(user)).cash === 2n * SOL);
    for (const user of halves[0]!) expect((await test.sol(user)).cash).toBe(SOL);
    await test.startDeposits({ index: 0, of: 2 });
    for (const user of halves[0]!) await test.until(async () => (await test.sol(user)).cash === 2n * SOL);
    await second.stop();
  });
});

describe('deposits', () => {
  let test: TreasuryUnderTest;
  beforeAll(async () => {
    test = await TreasuryUnderTest.start();
  });
  afterAll(() => test.stop());

  const deposits = async (token: string, pageSize = 100) =>
    (await test.accounts.get(`user/getMyDeposits?pageSize=${pageSize}`, token)).data as unknown as {
      lists: { amount: string; status: string; txHash: string; tokenContractAddress: string | null }[];
      total: number;
    };

  it('are shown when seen, posted when final, and told both times', async () => {
    const user = await test.accounts.register('seen@example.com');
    const wallet = user.wallet.address as Address;
    await test.deposits.add(wallet);
    const signature = test.chain.airdrop(wallet, SOL);
    await test.until(async () => (await deposits(user.token)).total === 1, 0);
    expect((await deposits(user.token)).lists[0]).toMatchObject({ status: 'seen', amount: '1', txHash: signature });
    expect(await test.sol(user)).toEqual({ cash: 0n, held: 0n });
    await test.until(async () => (await test.sol(user)).cash === SOL);
    await test.until(() => test.told.some((one) => one.channel === 'balance' && one.userId === user.userId));
    const told = test.told.filter((one) => one.channel === 'deposits' && one.userId === user.userId);
    expect(told.map((one) => (one.data as { status: string }).status)).toEqual(['seen', 'finalized']);
  });

  it('are all found after the stream was lost, 100 of them, and none is posted twice', async () => {
    const user = await test.fundedUser('gap@example.com', SOL);
    const wallet = user.wallet.address as Address;
    test.chain.disconnect();
    for (let count = 0; count < 100; count += 1) {
      test.chain.airdrop(wallet, 1_000_000n);
      // Ten minutes of slots in all.
      test.chain.advance(15);
    }
    expect((await deposits(user.token)).total).toBe(1);
    test.chain.reconnect();
    test.chain.reconnect();
    await test.until(async () => (await test.difference(user)) === 0n);
    expect((await deposits(user.token)).total).toBe(101);
    expect((await test.sol(user)).cash).toBe(SOL + 100n * 1_000_000n);
  });

  it('that came while the stream was lost are read first, and the rest two at a time', async () => {
    const wallets: Address[] = [];
    for (let index = 0; index < 6; index += 1) {
      wallets.push((await test.fundedUser(`quiet-${index}@example.com`, SOL)).wallet.address as Address);
    }
    const { chain } = test;
    chain.historiesAsked = [];
    chain.reconnect();
    await test.until(() => wallets.every((wallet) => chain.historiesAsked.includes(wallet)));
    await test.until(() => test.deposits.idle);
    // What they hold is known from here on; these two are the last to be looked at.
    const [noticed, lucky] = chain.historiesAsked.filter((wallet) => wallets.includes(wallet)).slice(-2);
    chain.disconnect();
    chain.airdrop(lucky!, SOL);
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    Object.assign(chain, { historiesAsked: [], historiesHeld: held.promise });
    chain.reconnect();
    await test.until(() => chain.historiesAsked.length === 2);
    expect(chain.historiesAsked).toContain(lucky);
    // While the two of them are read nothing else is but what is noticed.
    chain.airdrop(noticed!, SOL);
    await test.until(() => chain.historiesAsked.includes(noticed!));
    expect(chain.historiesAsked).toHaveLength(3);
    held.resolve();
    await test.until(() => test.deposits.idle);
  });

  it('of tokens come into the personal book without a cost, also into an account that already exists', async () => {
    const user = await test.fundedUser('tokens@example.com', SOL);
    const wallet = user.wallet.address as Address;
    const mint = anAddress();
    const account = associatedTokenAddress(wallet, mint);
    const held = async () => {
      const rows = await test.accounts.database.query<{ cash: bigint; uncosted: bigint }>(
        `select a.amount as cash, p.uncosted_tokens as uncosted from balance a join book b on b.id = a.book_id
         join position p on p.book_id = a.book_id and p.mint = a.asset where b.user_id = $1 and a.asset = $2`,
        [user.userId, mint],
      );
      return rows[0] ?? { cash: 0n, uncosted: 0n };
    };
    test.chain.receiveTokens(account, wallet, mint, 5_000_000n);
    await test.until(async () => (await held()).cash === 5_000_000n);
    // The second transfer names the token account only.
    test.chain.receiveTokens(account, wallet, mint, 2_000_000n);
    await test.until(async () => (await held()).cash === 7_000_000n);
    expect((await held()).uncosted).toBe(7_000_000n);
    expect((await deposits(user.token)).lists[0]).toMatchObject({ tokenContractAddress: mint, amount: '2' });
    expect(await test.difference(user)).toBe(0n);
  });

  it('of little SOL or of tokens make no stranger a neighbour; of more SOL they do for a month, and what is sent does for good', async () => {
    const user = await test.fundedUser('linked@example.com', 5n * SOL);
    const wallet = user.wallet.address as Address;
    const { database } = test.accounts;
    const [stranger, sponsor, friend, mint] = [anAddress(), anAddress(), anAddress(), anAddress()];
    for (const address of [stranger, sponsor]) test.chain.lamports.set(address, 10n * SOL);
    test.chain.spendOutside(stranger, wallet, SOL - 1n);
    const gift = test.chain.receiveTokens(associatedTokenAddress(wallet, mint), wallet, mint, 5_000_000n);
    test.chain.spendOutside(sponsor, wallet, SOL);
    test.chain.spendOutside(wallet, friend, 1_000_000n);
    await test.until(async () => (await test.difference(user)) === 0n && (await test.sol(user)).cash < 7n * SOL);
    // The chain of this test stamps its blocks with a time long past.
    const daysAgo = (days: number) =>
      database.write(`update wallet_link set received_at = now() - make_interval(days => $1) where not is_outgoing`, [
        days,
      ]);
    await daysAgo(29);
    const linked = await loadLinkedAddresses(database, [wallet]);
    expect(linked).toEqual(expect.arrayContaining([sponsor, friend]));
    expect(linked).not.toContain(stranger);
    const { accountKeys } = test.chain.landed.find(({ transaction }) => transaction.signature === gift)!.transaction;
    expect(linked.filter((address) => accountKeys.includes(address as Address))).toEqual([]);
    await daysAgo(31);
    expect(await loadLinkedAddresses(database, [wallet])).toEqual([friend]);
  });

  it('in an account that a stranger made and handed over are listed, and count as nothing to sell', async () => {
    const user = await test.fundedUser('foreign@example.com', SOL);
    const wallet = user.wallet.address as Address;
    const [account, mint] = [anAddress(), anAddress()];
    test.chain.receiveTokens(account, wallet, mint, 5_000_000n);
    const { database } = test.accounts;
    await test.until(async () => (await loadForeignAccounts(database, user.userId)).length === 1);
    expect(await loadForeignAccounts(database, user.userId)).toEqual([
      { address: account, mint, decimals: 6, amount: 5_000_000n },
    ]);
    test.chain.airdrop(wallet, SOL);
    await test.until(async () => (await test.sol(user)).cash === 2n * SOL);
    expect((await loadBalances(database, user.userId)).map(({ asset }) => asset)).toEqual(['SOL']);
    expect(await database.query(`select 1 from position where user_id = $1`, [user.userId])).toEqual([]);
    expect(await database.query(`select 1 from watched_address where address = $1`, [account])).toEqual([]);
  });

  it('of strangers to the wallet of a strategy are unclaimed, and nobody is told that they are his', async () => {
    const creator = await test.fundedUser('gifts@example.com', SOL);
    const { walletId, address } = await test.strategyWallet(creator);
    const mint = anAddress();
    const account = associatedTokenAddress(address, mint);
    test.chain.airdrop(address, 3n * SOL);
    test.chain.receiveTokens(account, address, mint, 5_000_000n);
    await test.until(async () => (await test.booksOf(walletId)).length === 2);
    test.chain.airdrop(address, SOL);
    await test.until(async () => (await test.booksOf(walletId))[0]!.amount === 4n * SOL);
    expect(await test.booksOf(walletId)).toEqual([
      { kind: 'unclaimed', asset: 'SOL', amount: 4n * SOL },
      { kind: 'unclaimed', asset: mint, amount: 5_000_000n },
    ]);
    const { database } = test.accounts;
    const balances = await loadBalances(database, creator.userId);
    expect(balances.map(({ asset, amount }) => [asset, amount])).toEqual([['SOL', SOL]]);
    expect((await loadBooks(database, creator.userId)).map(({ kind }) => kind)).toEqual(['personal', 'strategy']);
    expect(await database.query(`select 1 from position where user_id = $1`, [creator.userId])).toEqual([]);
    expect((await deposits(creator.token)).total).toBe(1);
    const told = test.told.filter((one) => one.channel === 'deposits' && one.userId === creator.userId);
    expect(told).toHaveLength(2);
    expect((await loadSolBalances(database, creator.userId)).allCash).toBe(SOL);
    expect(await test.difference(creator)).toBe(0n);
  });

  it('that a fork took away are never posted', async () => {
    const user = await test.fundedUser('fork@example.com', SOL);
    const signature = test.chain.airdrop(user.wallet.address as Address, 3n * SOL);
    await test.until(async () => (await deposits(user.token)).total === 2, 0);
    test.chain.forkAway(signature);
    await test.until(async () => (await deposits(user.token)).lists[0]!.status === 'orphaned', 50);
    expect((await test.sol(user)).cash).toBe(SOL);
  });

  it('that were given up are posted once where the chain has them after all', async () => {
    const user = await test.fundedUser('after-all@example.com', SOL);
    const { chain } = test;
    const wallet = user.wallet.address as Address;
    const signature = chain.airdrop(wallet, 3n * SOL);
    await test.until(async () => (await deposits(user.token)).total === 2, 0);
    // A node that has lost its history answers like one whose fork went away.
    const landed = chain.landed.find(({ transaction }) => transaction.signature === signature)!;
    chain.forkAway(signature);
    await test.until(async () => (await deposits(user.token)).lists[0]!.status === 'orphaned', 50);
    chain.landed.push(landed);
    chain.lamports.set(wallet, chain.lamports.get(wallet)! + 3n * SOL);
    chain.reconnect();
    await test.until(async () => (await test.sol(user)).cash === 4n * SOL);
    expect((await deposits(user.token)).lists.map(({ status }) => status)).toEqual(['finalized', 'finalized']);
    chain.reconnect();
    await test.until(() => test.deposits.idle);
    expect(await test.difference(user)).toBe(0n);
  });

  it('of tokens are found in an account that an own trade made while nobody listened', async () => {
    const user = await test.fundedUser('unheard@example.com', SOL);
    const wallet = user.wallet.address as Address;
    const mint = anAddress();
    const account = associatedTokenAddress(wallet, mint);
    test.chain.tokens.set(account, { owner: wallet, mint, amount: 0n });
    test.chain.airdrop(wallet, 1_000n);
    // Both, because the first one is final already and two of one slot would stand in either order.
    await test.until(async () => {
      const { lists } = await deposits(user.token);
      return lists.length === 2 && lists.every(({ status }) => status === 'finalized');
    });
    // Names the token account only, so that nobody hears of it who does not watch that account.
    test.chain.receiveTokens(account, wallet, mint, 3_000_000n);
    await test.until(async () => (await deposits(user.token)).lists[0]?.tokenContractAddress === mint);
    expect((await deposits(user.token)).lists[0]).toMatchObject({ tokenContractAddress: mint, amount: '3' });
  });

  it('include what the owner sends away with the own key: posted as an outflow, with an alarm', async () => {
    const user = await test.fundedUser('outside@example.com', SOL);
    const signature = test.chain.spendOutside(user.wallet.address as Address, anAddress(), SOL / 4n);
    await test.until(async () => (await test.difference(user)) === 0n);
    expect((await test.sol(user)).cash).toBe(SOL - SOL / 4n - 5_000n);
    expect(test.alarms).toContain(signature);
    const entries = await test.accounts.database.query(`select kind from journal_entry where signature = $1`, [
      signature,
    ]);
    expect(entries).toEqual([{ kind: 'external-out' }]);
  });

  it('include an outflow whose alarm is raised also where the process dies right after it was posted', async () => {
    const user = await test.fundedUser('alarm-crash@example.com', SOL);
    const { database } = test.accounts;
    await test.deposits.stop();
    const signature = test.chain.spendOutside(user.wallet.address as Address, anAddress(), SOL / 4n);
    const log = createLog('silent');
    await scanAddress({ database, rpc: test.chain.rpc, log }, user.wallet.address as Address);
    const alarms: string[] = [];
    const dying = {
      query: database.query.bind(database),
      transaction: async (work: Parameters<typeof database.transaction>[0]) => {
        await database.transaction(work);
        throw new Error('killed');
      },
    } as unknown as typeof database;
    const deps = {
      database: dying,
      rpc: test.chain.rpc,
      tell: test.accounts.accounts.tell,
      symbols: async () => new Map<string, string>(),
      alarm: (row: MovementRow) => void alarms.push(row.signature),
      log,
    };
    await test.until(async () => {
      await settleMovements(deps, rangeOf(ALL_WALLETS));
      return (await test.difference(user)) === 0n;
    });
    expect(alarms).toEqual([signature]);
    await test.startDeposits();
  });

  it('include an outflow beyond what is free: alarmed and posted at once as far as it goes, the rest when it is free', async () => {
    const user = await test.fundedUser('theft@example.com', 2n * SOL);
    test.signer.heldUntil = new Date(Date.now() + 86_400_000);
    const held = await test.withdraw(user, { toWallet: anAddress(), amount: '1.5' });
    test.signer.heldUntil = null;
    const signature = test.chain.spendOutside(user.wallet.address as Address, anAddress(), SOL);
    // The alarm is raised first.
    await test.until(async () => (await test.sol(user)).cash === 0n);
    expect(test.alarms).toContain(signature);
    expect(await test.sol(user)).toEqual({ cash: 0n, held: (3n * SOL) / 2n + 5_000n });
    // Nothing more is free: later passes neither post nor alarm again.
    test.chain.airdrop(user.wallet.address as Address, 1_000n);
    await test.until(async () => (await deposits(user.token)).lists[0]?.status === 'finalized');
    const { id } = held.data as unknown as { id: string };
    await test.accounts.post('user/cancelWithdrawal', { id }, { token: user.token });
    await test.until(async () => (await test.difference(user)) === 0n);
    expect((await test.sol(user)).cash).toBe(SOL - 5_000n + 1_000n);
    expect(test.alarms.filter((one) => one === signature)).toHaveLength(1);
    const audits = await test.accounts.database.query(
      `select 1 from audit_event where user_id = $1 and event = 'external-outflow'`,
      [user.userId],
    );
    expect(audits).toHaveLength(1);
  });

  it('include an outflow beyond what is free that the node has forgotten before the rest could be posted', async () => {
    const user = await test.fundedUser('forgotten@example.com', 2n * SOL);
    const { chain } = test;
    test.signer.heldUntil = new Date(Date.now() + 86_400_000);
    const held = await test.withdraw(user, { toWallet: anAddress(), amount: '1.5' });
    test.signer.heldUntil = null;
    const signature = chain.spendOutside(user.wallet.address as Address, anAddress(), SOL);
    await test.until(() => test.alarms.includes(signature));
    const all = chain.landed;
    chain.landed = all.filter(({ transaction }) => transaction.signature !== signature);
    chain.advance(400);
    const asked = chain.statusesAsked;
    await test.until(() => chain.statusesAsked > asked + 1, 0);
    // Another one that has it is asked from now on.
    chain.landed = all;
    const { id } = held.data as unknown as { id: string };
    await test.accounts.post('user/cancelWithdrawal', { id }, { token: user.token });
    await test.until(async () => (await test.difference(user)) === 0n);
    expect((await test.sol(user)).cash).toBe(SOL - 5_000n);
  });

  it('that only the final fork shows beside an outflow beyond what is free are posted once', async () => {
    const { database } = test.accounts;
    const user = await test.fundedUser('other-fork@example.com', 2n * SOL);
    test.signer.heldUntil = new Date(Date.now() + 86_400_000);
    const held = await test.withdraw(user, { toWallet: anAddress(), amount: '1.5' });
    test.signer.heldUntil = null;
    const [wallet, mint] = [user.wallet.address as Address, anAddress()];
    const { walletId } = (await loadWalletByAddress(database, wallet))!;
    const slot = 1_000_000_000n;
    const seen = {
      userId: user.userId,
      walletId,
      walletAddress: wallet,
      signature: 'other fork',
      slot,
      at: new Date(),
    };
    await recordSeen(database, [{ ...seen, asset: 'SOL', decimals: 9, amount: -SOL }]);
    const tokens = { accountIndex: 1, mint, owner: wallet, tokenProgram: null, amount: 7n, decimals: 6 };
    const final = {
      signature: seen.signature,
      slot,
      blockTime: null,
      err: null,
      fee: 0n,
      accountKeys: [wallet, associatedTokenAddress(wallet, mint)],
      requiredSignatures: 1,
      preBalances: [2n * SOL, 0n],
      postBalances: [SOL, 0n],
      preTokenBalances: [],
      postTokenBalances: [tokens],
      logMessages: [],
      wire: new Uint8Array(),
    };
    const status = { slot, confirmations: null, err: null, confirmationStatus: 'finalized' as const };
    const rpc = {
      getEpochInfo: async () => ({ slot, blockHeight: slot }),
      getSignatureStatuses: async (asked: readonly string[]) => ({
        contextSlot: slot,
        value: asked.map((signature) => (signature === seen.signature ? status : null)),
      }),
      getTransactions: async (asked: readonly string[]) => asked.map(() => final),
    } as unknown as SettleDeps['rpc'];
    const { tell } = test.accounts.accounts;
    const symbols = async () => new Map<string, string>();
    const deps = { database, rpc, tell, symbols, alarm: () => {}, log: createLog('error') };
    await settleMovements(deps, rangeOf(ALL_WALLETS));
    const { id } = held.data as unknown as { id: string };
    await test.accounts.post('user/cancelWithdrawal', { id }, { token: user.token });
    await settleMovements(deps, rangeOf(ALL_WALLETS));
    const balances = await loadBalances(database, user.userId);
    expect(Object.fromEntries(balances.map(({ asset, amount }) => [asset, amount]))).toEqual({ SOL, [mint]: 7n });
  });

  it('that the node does not show properly once final keep no others waiting, and are posted when it does', async () => {
    const [user, other] = [
      await test.fundedUser('odd-final@example.com', SOL),
      await test.fundedUser('beside-odd-final@example.com', SOL),
    ];
    const misshown = test.chain.airdrop(user.wallet.address as Address, SOL);
    await test.until(async () => (await deposits(user.token)).total === 2, 0);
    test.chain.misshown.add(misshown);
    test.chain.airdrop(other.wallet.address as Address, SOL);
    await test.until(async () => (await test.sol(other)).cash === 2n * SOL);
    expect((await test.sol(user)).cash).toBe(SOL);
    test.chain.misshown.delete(misshown);
    await test.until(async () => (await test.sol(user)).cash === 2n * SOL);
  });

  it('that cannot be posted or read do not keep others waiting', async () => {
    const { database } = test.accounts;
    const { userId } = await test.accounts.register('broken@example.com');
    // A wallet without a book: whatever comes to it cannot be posted.
    const [bookless, user] = [anAddress(), await test.fundedUser('behind@example.com', SOL)];
    await database.write(`update wallet set kind = 'strategy' where user_id = $1`, [userId]);
    const walletId = randomUUID();
    await insertWallet(database, { id: walletId, userId, kind: 'personal', address: bookless, sealedKey: '' });
    await database.write(`update book set kind = 'strategy' where user_id = $1`, [userId]);
    await test.deposits.add(bookless);
    test.chain.airdrop(bookless, SOL);
    const unreadable = test.chain.airdrop(user.wallet.address as Address, 1_000n);
    test.chain.unreadable.add(unreadable);
    test.chain.airdrop(user.wallet.address as Address, SOL);
    await test.until(async () => (await test.sol(user)).cash === 2n * SOL);
    const open = await database.query(`select 1 from wallet_movement where wallet_id = $1 and status = 'seen'`, [
      walletId,
    ]);
    expect(open).toHaveLength(1);
    const { rpc } = test.chain;
    const { tell } = test.accounts.accounts;
    const symbols = async () => new Map<string, string>();
    const deps = { database, rpc, tell, symbols, alarm: () => {}, log: createLog('silent') };
    expect(await settleMovements(deps, rangeOf(ALL_WALLETS))).toEqual({ settled: [], open: 0 });
    expect(await database.query(`select signature from unreadable_transaction`)).toEqual([{ signature: unreadable }]);
    expect(await countUnreadable(database)).toBe(1);
    await database.write(`delete from wallet_movement where wallet_id = $1`, [walletId]);
  });

  it.each(['hidden', 'misshown'] as const)(
    'do not wait behind one that the node lists and does not show, which is asked for until it is shown (%s)',
    async (how) => {
      const user = await test.fundedUser(`${how}@example.com`, SOL);
      const wallet = user.wallet.address as Address;
      test.chain[how].add(test.chain.airdrop(wallet, SOL));
      // The last one is read when all before it is final.
      for (const sols of [2n, 3n]) {
        test.chain.airdrop(wallet, SOL);
        await test.until(async () => (await test.sol(user)).cash === sols * SOL);
      }
      test.chain[how].clear();
      await test.until(async () => (await test.sol(user)).cash === 4n * SOL);
    },
  );

  it('do not wait behind outflows that cannot be posted, however many somebody makes', async () => {
    const { database } = test.accounts;
    const { userId } = await test.accounts.register('holds@example.com');
    const user = await test.fundedUser('patient@example.com', SOL);
    // As left by the owner of an exported key who sets all of his SOL aside here and moves it on chain, lamport by lamport.
    await database.write(
      `insert into wallet_movement (user_id, wallet_id, wallet_address, signature, asset, decimals, amount, slot, at, seen_at, alarmed_at)
       select $1, w.id, w.address, 'unposted ' || i, 'SOL', 9, -1, 1000000000, now(), now() - interval '1 day', now()
       from wallet w, generate_series(1, 600) i where w.user_id = $1`,
      [userId],
    );
    test.chain.airdrop(user.wallet.address as Address, SOL);
    await test.until(async () => (await test.sol(user)).cash === 2n * SOL);
    await database.write(`delete from wallet_movement where user_id = $1`, [userId]);
  });

  it('include what another user withdraws to the wallet, while the sender posts it as a withdrawal', async () => {
    const sender = await test.fundedUser('sender@example.com', 3n * SOL);
    const receiver = await test.fundedUser('receiver@example.com', SOL);
    const reply = await test.withdraw(sender, { toWallet: receiver.wallet.address, amount: '1.25' });
    const { txHash } = reply.data as unknown as { txHash: string };
    await test.until(async () => (await test.sol(receiver)).cash === SOL + (5n * SOL) / 4n);
    await test.until(async () => (await test.sol(sender)).held === 0n);
    expect((await deposits(receiver.token)).lists[0]).toMatchObject({
      amount: '1.25',
      status: 'finalized',
      txHash,
    });
    expect((await deposits(sender.token)).total).toBe(1);
    expect([await test.difference(sender), await test.difference(receiver)]).toEqual([0n, 0n]);
  });

  it('that earlier versions passed over, from one user to another, are credited once by the rescan', async () => {
    const sender = await test.fundedUser('old-sender@example.com', 3n * SOL);
    const receiver = await test.fundedUser('old-receiver@example.com', SOL);
    await test.deposits.stop();
    const reply = await test.withdraw(sender, { toWallet: receiver.wallet.address, amount: '1' });
    await test.until(async () => (await test.sol(sender)).held === 0n);
    // What such a version left behind: the transaction marked as read, and no movement of the receiver.
    await test.accounts.database.write(`update watched_address set read_until_signature = $2 where address = $1`, [
      receiver.wallet.address,
      (reply.data as unknown as { txHash: string }).txHash,
    ]);
    await test.startDeposits();
    await test.until(() => test.deposits.idle);
    expect(await test.difference(receiver)).toBe(-SOL);
    await test.deposits.stop();
    await test.accounts.database.write(readFileSync(RESCAN, 'utf8'));
    await test.startDeposits();
    await test.until(async () => (await test.difference(receiver)) === 0n);
    expect((await deposits(receiver.token)).total).toBe(2);
    expect(await test.difference(sender)).toBe(0n);
  });

  it('are carried on by the next process when one dies', async () => {
    const user = await test.fundedUser('crash@example.com', SOL);
    await test.deposits.stop();
    test.chain.airdrop(user.wallet.address as Address, 2n * SOL);
    await test.startDeposits();
    await test.until(async () => (await test.difference(user)) === 0n);
    expect((await deposits(user.token)).total).toBe(2);
  });
});
