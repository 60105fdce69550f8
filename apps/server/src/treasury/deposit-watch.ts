import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import type { TellUser } from '../accounts/tell-user.ts';
import { ALL_WALLETS, isWithin, rangeOf, type WalletPart, type WalletRange } from '../ledger/wallet-part.ts';
import { loadWalletByAddress, loadWallets } from '../ledger/wallets.ts';
import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database } from '../platform/postgres.ts';
import { loadOwn } from '../sending/transaction-store.ts';
import type { BalancePushes } from './balance-pushes.ts';
import type { RaiseOutflowAlarm } from './outflow-alarm.ts';
import { scanAddress } from './scan-address.ts';
import { settleMovements } from './settle-movements.ts';
import { depositView, type MovementRow, type TokenSymbols } from './wallet-movements.ts';
import { watchTokenAccounts } from './watch-token-accounts.ts';
import { addUnwatchedWallets, addWatchedAddresses, loadWatchedPage, type WatchedAddress } from './watched-addresses.ts';

// How deposits are found. Every watched address has a subscription to its logs; a notice about a transaction that is
// not our own starts a scan of that address, which pages back to the last transaction read. A scan of everything runs
// at the start, after every reconnect and now and then, so a lost notice costs time and never a deposit. What is known to
// have changed goes first; the rest takes its time, so that a node which has just come back has some left for others. What
// a scan finds is `seen`; a second loop posts it once it is final. Several processes share the wallets by their ids.
//
// A subscription per address is what a node of one's own carries for tens of thousands of addresses. Beyond
// SUBSCRIPTIONS_MAX the addresses rely on the sweep alone, which asks for their balances a hundred at a time and scans
// only those that changed.

const SUBSCRIPTIONS_MAX = 20_000;
const SCANS_AT_A_TIME = 8;
const QUIET_SCANS_AT_A_TIME = 2;
const PAGE_SIZE = 500;
const GATHER_MS = 100;
const SETTLE_MS = 500;
const SETTLE_IDLE_MS = 2_000;
const SWEEP_MS = 60_000;
/** Every so many sweeps look at everything, changed or not. */
const FULL_SWEEP_EVERY = 30;
const RETRY_MS = 2_000;
/** Of an address that cannot be read to its end, such as one with a transaction that the node lists and never shows. */
const RETRY_MAX_MS = 60_000;

export type DepositWatchDeps = {
  database: Database;
  rpc: RpcClient;
  subscriptions: RpcSubscriptions;
  symbols: TokenSymbols;
  bus: LiveBus;
  balances: BalancePushes;
  /** Money left a wallet without our signature. */
  alarm: RaiseOutflowAlarm;
  tell: TellUser;
  clock: Clock;
  log: Log;
};

export class DepositWatch {
  readonly #deps: DepositWatchDeps;
  readonly #wallets: WalletRange;
  readonly #stopSubscription = new Map<Address, () => void>();
  readonly #fingerprints = new Map<Address, string>();
  readonly #queue = new Set<Address>();
  /** Scanned to be sure: nothing says that they changed. */
  readonly #quietQueue = new Set<Address>();
  readonly #scanning = new Set<Address>();
  /** The pause before the next look at what could not be read to its end; one at a time, however often it is scanned meanwhile. */
  readonly #retries = new Map<Address, { pauseMs: number; isWaiting: boolean }>();
  readonly #discovering = new Set<Address>();
  readonly #noticed = new Map<string, Map<Address, WatchedAddress>>();
  readonly #running = new Set<Promise<void>>();
  readonly #settling: Loop<number>;
  readonly #sweeping: Loop;
  readonly #stopping = new AbortController();
  #stopReconnect: () => void = () => {};
  #sweeps = 0;
  /** Notices may have been lost. */
  #isFullDue = false;
  #isGathering = false;

  constructor(deps: DepositWatchDeps, part: WalletPart = ALL_WALLETS) {
    this.#deps = deps;
    this.#wallets = rangeOf(part);
    const { clock, log } = deps;
    this.#settling = new Loop({
      name: 'settling of deposits',
      work: () => this.#settle(),
      everyMs: (open) => (open > 0 ? SETTLE_MS : SETTLE_IDLE_MS),
      clock,
      log,
    });
    this.#sweeping = new Loop({
      name: 'sweep of watched addresses',
      // At once, too: what addresses hold has to be known for a later sweep to tell which of them changed.
      work: () => this.#sweep(),
      everyMs: SWEEP_MS,
      clock,
      log,
    });
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async start(): Promise<void> {
    this.#stopReconnect = this.#deps.subscriptions.onReconnect(() => {
      this.#isFullDue = true;
      this.#sweeping.wake();
    });
    try {
      await addUnwatchedWallets(this.#deps.database, this.#wallets);
      await this.#eachPage(async (page) => {
        for (const row of page) this.#watchNew(row);
      });
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#settling.start();
    this.#sweeping.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopReconnect();
    this.#queue.clear();
    this.#quietQueue.clear();
    for (const stop of this.#stopSubscription.values()) stop();
    await Promise.allSettled([this.#settling.stop(), this.#sweeping.stop(), ...this.#running]);
  }

  /** A new wallet; its first deposit may arrive at any moment. Those of other parts are left to their own watch. */
  async add(address: Address): Promise<void> {
    const { database } = this.#deps;
    const wallet = await loadWalletByAddress(database, address);
    if (!wallet) throw new Error(`${address} is no wallet of ours`);
    const { userId, walletId } = wallet;
    if (!isWithin(this.#wallets, walletId)) return;
    await addWatchedAddresses(database, [{ address, userId, walletId, walletAddress: address }]);
    this.#subscribe({ address, userId, walletId, walletAddress: address, readUntilSignature: null });
    this.#enqueue(address);
  }

  /** Whether everything that was noticed has been read; for tests. */
  get idle(): boolean {
    const waiting = this.#queue.size + this.#quietQueue.size + this.#noticed.size;
    return waiting === 0 && this.#scanning.size === 0;
  }

  /** Scans what holds something else than at the last look, and now and then the rest as well. */
  async #sweep(): Promise<void> {
    await addUnwatchedWallets(this.#deps.database, this.#wallets);
    this.#sweeps += 1;
    const isFull = this.#isFullDue || this.#sweeps % FULL_SWEEP_EVERY === 0;
    this.#isFullDue = false;
    try {
      await this.#eachPage((page) => this.#lookAt(page, isFull));
    } catch (error) {
      this.#isFullDue ||= isFull;
      throw error;
    }
  }

  async #lookAt(page: readonly WatchedAddress[], isFull: boolean): Promise<void> {
    const { value } = await this.#deps.rpc.getMultipleAccounts(page.map((row) => row.address));
    const unchanged: Address[] = [];
    page.forEach((row, index) => {
      const { address } = row;
      this.#subscribe(row);
      const account = value[index];
      const fingerprint = account
        ? `${account.lamports} ${Buffer.from(account.data).subarray(64, 72).toString('hex')}`
        : '';
      const before = this.#fingerprints.get(address);
      this.#fingerprints.set(address, fingerprint);
      if (before === fingerprint || (before === undefined && isFull)) unchanged.push(address);
      else this.#enqueue(address);
    });
    if (isFull) for (const address of unchanged) this.#enqueue(address, this.#quietQueue);
  }

  async #eachPage(visit: (page: WatchedAddress[]) => Promise<void>): Promise<void> {
    let after = '';
    while (!this.#stopped) {
      const page = await loadWatchedPage(this.#deps.database, this.#wallets, after, PAGE_SIZE);
      if (page.length === 0) return;
      await visit(page);
      after = page.at(-1)!.address;
    }
  }

  #subscribe(row: WatchedAddress): void {
    const { address } = row;
    if (this.#stopped || this.#stopSubscription.has(address)) return;
    if (this.#stopSubscription.size >= SUBSCRIPTIONS_MAX) return;
    const stop = this.#deps.subscriptions.logs({ mentions: [address] }, 'confirmed', (notice) =>
      this.#notice(notice.signature, row),
    );
    this.#stopSubscription.set(address, stop);
  }

  /** Notices are gathered for a moment, so that a burst of own trades costs one question to the database. */
  #notice(signature: string, row: WatchedAddress): void {
    const rows = this.#noticed.get(signature);
    if (rows) rows.set(row.address, row);
    else this.#noticed.set(signature, new Map([[row.address, row]]));
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#after(GATHER_MS, () => this.#readNotices());
  }

  async #readNotices(): Promise<void> {
    this.#isGathering = false;
    const noticed = new Map(this.#noticed);
    try {
      const isOwn = await loadOwn(this.#deps.database, [...noticed.keys()]);
      for (const [signature, rows] of noticed) {
        for (const { address, walletAddress } of rows.values()) {
          if (isOwn(signature, walletAddress)) this.#discover(address);
          else this.#enqueue(address);
        }
      }
    } catch {
      // Scanning without knowing whose it was finds the same, only at a higher price.
      for (const rows of noticed.values()) for (const address of rows.keys()) this.#enqueue(address);
    }
    for (const signature of noticed.keys()) this.#noticed.delete(signature);
  }

  /** An own trade may have made a token account that others can send to; it is looked for once things are quiet. */
  #discover(address: Address): void {
    if (this.#discovering.has(address)) return;
    this.#discovering.add(address);
    this.#after(RETRY_MS, async () => {
      this.#discovering.delete(address);
      const wallet = await loadWalletByAddress(this.#deps.database, address);
      if (!wallet) return;
      const added = await watchTokenAccounts(this.#deps, { ...wallet, walletAddress: address });
      for (const one of added) this.#watchNew(one);
    });
  }

  #watchNew(row: WatchedAddress): void {
    this.#subscribe(row);
    this.#enqueue(row.address);
  }

  #enqueue(address: Address, queue = this.#queue): void {
    if (this.#stopped) return;
    queue.add(address);
    this.#startScans();
  }

  #startScans(): void {
    this.#startScansOf(this.#queue, SCANS_AT_A_TIME);
    this.#startScansOf(this.#quietQueue, QUIET_SCANS_AT_A_TIME);
  }

  #startScansOf(queue: Set<Address>, atATime: number): void {
    for (const address of queue) {
      if (this.#scanning.size >= atATime) return;
      // One that is being scanned stays in the queue: what it was noticed for may be newer than what the scan read.
      if (this.#scanning.has(address)) continue;
      this.#queue.delete(address);
      this.#quietQueue.delete(address);
      this.#scanning.add(address);
      this.#spawn(() => this.#scan(address));
    }
  }

  async #scan(address: Address): Promise<void> {
    try {
      const { seen, newAddresses, missing } = await scanAddress(this.#deps, address);
      for (const row of newAddresses) this.#watchNew(row);
      if (seen.length > 0) {
        this.#settling.wake();
        await this.#tell(seen);
      }
      if (missing === null) this.#retries.delete(address);
      else this.#retry({ address, signature: missing }, 'the node lists a transaction and does not show it');
    } catch (error) {
      this.#retry({ address, err: error }, 'scan of an address failed');
    } finally {
      this.#scanning.delete(address);
      this.#startScans();
    }
  }

  #retry(facts: { address: Address; signature?: string; err?: unknown }, what: string): void {
    const { address } = facts;
    const before = this.#retries.get(address);
    if (before?.isWaiting) return;
    const pauseMs = before ? Math.min(RETRY_MAX_MS, before.pauseMs * 2) : RETRY_MS;
    const retry = { pauseMs, isWaiting: true };
    this.#retries.set(address, retry);
    this.#deps.log.warn(facts, `${what}; asking again in ${pauseMs / 1000} s`);
    this.#after(pauseMs, async () => {
      retry.isWaiting = false;
      this.#enqueue(address);
    });
  }

  /** Answers how many are still open. */
  async #settle(): Promise<number> {
    const { open, settled } = await settleMovements(this.#deps, this.#wallets);
    for (const userId of new Set(settled.map((row) => row.userId))) this.#deps.balances.changed(userId);
    await this.#tell(settled);
    return open;
  }

  async #tell(rows: readonly MovementRow[]): Promise<void> {
    const came = rows.filter((row) => row.amount > 0n);
    if (came.length === 0) return;
    const wallets = await loadWallets(this.#deps.database, [...new Set(came.map((row) => row.walletId))]);
    const personal = new Set(wallets.filter(({ kind }) => kind === 'personal').map(({ walletId }) => walletId));
    const deposits = came.filter((row) => personal.has(row.walletId));
    const symbols = await this.#deps.symbols(deposits.map((row) => row.asset));
    for (const row of deposits) this.#deps.bus.publish('deposits', row.userId, depositView(row, symbols));
  }

  #after(ms: number, run: () => Promise<void>): void {
    this.#spawn(async () => {
      await this.#deps.clock.pause(ms, this.#stopping.signal);
      if (!this.#stopped) await run();
    });
  }

  #spawn(run: () => Promise<void>): void {
    if (this.#stopped) return;
    const running = this.#guard(run).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #guard(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!this.#stopped) {
        this.#deps.log.warn({ err: error }, 'reading of deposits failed; the next sweep reads them again');
      }
    }
  }
}
