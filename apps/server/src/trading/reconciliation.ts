import { ALL_WALLETS, rangeOf, type WalletPart, type WalletRange } from '../ledger/wallet-part.ts';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { SOL, type Asset } from '../ledger/journal.ts';
import { loadAmountsBetween, loadWalletPage, type PagedWallet } from '../ledger/wallet-pages.ts';
import { loadWallets, loadWalletsAfter } from '../ledger/wallets.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { compareWallet, type ComparedWallet } from './compare-wallet.ts';
import { sumDifferences } from './sum-differences.ts';

// Compares every wallet's books with the chain, over and over. A pass walks all wallets in pages and asks for all their known accounts
// at once, a hundred in a call; whatever differs there is looked at again on its own, with all accounts that the chain has for it.
// Compared is only what stands still: nothing sent or confirmed that is not yet final, and the books unchanged while the chain was
// read. What is set aside and not sent is in the wallet like everything else. A difference that stays the same over several looks is explained by nothing on its way, so it becomes an alarm, which
// only a settlement by an operator, or the cause itself, ends. Nothing is ever corrected here.
//
// Accounts that nobody has told us of are found by a second, slower walk, which asks for the accounts of one wallet after the other.

/** The pause after a pass grows with the wallets: at 100,000 there is one pass in about six minutes. */
const PAUSE_MIN_MS = 3_000;
const PAUSE_PER_WALLET_MS = 3;
const WALLETS_PER_PAGE = 500;
const PAGES_AT_ONCE = 4;
const AGAIN_MAX = 40;
/** Most wallets of one page that are looked at on their own; the next pass finds the others. */
const CHECKS_PER_PAGE_MAX = 100;
const DISCOVERY_MS = 3_000;
const DISCOVERED_AT_A_TIME = 20;
/**
 * Looks in a row, at least this far apart, with one and the same difference. Together they take longer than the sweep that finds
 * a deposit whose notice was lost, and its finality.
 */
const LOOKS = 10;
const LOOK_APART_MS = 10_000;

type Seen = { books: bigint; chain: bigint; slot: bigint };
type Suspicion = { difference: bigint; looks: number; lastMs: number };

export type ReconciliationDeps = {
  database: Database;
  rpc: RpcClient;
  log: Log;
  /** Told after every pass the sum of all unexplained lamports, and over how many wallets and assets the differences are. */
  report: (lamports: Lamports, differences: number) => void;
  /** Wallets with a transfer on its way, from them or to them. */
  inTransfer?: (sql: Sql) => Promise<ReadonlySet<string>>;
  /** Every address besides their own in which the wallets from the first to the last id may hold something. */
  accountsBetween: (sql: Sql, firstId: string, lastId: string) => Promise<{ walletId: string; address: Address }[]>;
  clock: Clock;
};

export class Reconciliation {
  readonly #deps: ReconciliationDeps;
  readonly #range: WalletRange;
  readonly #suspicions = new Map<string, Suspicion>();
  /** Alarms that are still open, also those that an earlier process raised. */
  #alarmed: ReadonlySet<string> = new Set();
  #discoveredUntil: string;
  #stopped = false;
  readonly #loops: Loop<number>[];

  constructor(deps: ReconciliationDeps, part: WalletPart = ALL_WALLETS) {
    this.#deps = deps;
    this.#range = rangeOf(part);
    this.#discoveredUntil = this.#range.from;
    const { clock, log } = deps;
    this.#loops = [
      new Loop({
        name: 'reconciliation pass',
        work: () => this.pass(),
        // The parts together ask the node no more than one that compares all wallets would.
        everyMs: (wallets) => Math.max(PAUSE_MIN_MS, wallets * PAUSE_PER_WALLET_MS * part.of),
        firstAfterMs: PAUSE_MIN_MS,
        clock,
        log,
      }),
      new Loop({
        name: 'discovery of token accounts',
        work: () => this.#discover(),
        everyMs: () => DISCOVERY_MS * part.of,
        firstAfterMs: DISCOVERY_MS,
        clock,
        log,
      }),
    ];
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Looks at all wallets, suspected ones first; answers how many there are. */
  async pass(): Promise<number> {
    const { database } = this.#deps;
    this.#alarmed = await loadAlarmed(database);
    const { from, until } = this.#range;
    const known = [...this.#alarmed, ...this.#suspicions.keys()].map((key) => key.split(' ')[0]!);
    const suspected = [...new Set(known)].filter((id) => id >= from && (until === null || id < until));
    const again = await loadWallets(database, suspected.slice(0, AGAIN_MAX));
    for (const wallet of again) await this.check(wallet);
    const looked = new Set(again.map(({ walletId }) => walletId));
    let wallets = 0;
    // Several pages at once, so that the database and the node work at the same time.
    const underWay: Promise<PagedWallet[]>[] = [];
    const checkNext = async (): Promise<void> => {
      const differing = (await underWay.shift()!).filter(({ walletId }) => !looked.has(walletId));
      const ids = differing.slice(0, CHECKS_PER_PAGE_MAX).map(({ walletId }) => walletId);
      for (const wallet of await loadWallets(database, ids)) await this.check(wallet);
    };
    for (let after = from; !this.#stopped;) {
      const page = await loadWalletPage(database, after, WALLETS_PER_PAGE, until);
      const last = page.at(-1);
      if (!last) break;
      wallets += page.length;
      after = last.walletId;
      const comparing = this.#compare(page, page[0]!.walletId, after);
      comparing.catch(() => {});
      underWay.push(comparing);
      if (underWay.length >= PAGES_AT_ONCE) await checkNext();
    }
    while (underWay.length > 0) await checkNext();
    await this.#report();
    return wallets;
  }

  /** Those whose books are not what the accounts we know of hold. They may be moving, or have accounts we do not know of. */
  async #compare(wallets: readonly PagedWallet[], firstId: string, lastId: string): Promise<PagedWallet[]> {
    const { database, rpc, accountsBetween } = this.#deps;
    const [books, accounts] = await Promise.all([
      loadAmountsBetween(database, firstId, lastId),
      accountsBetween(database, firstId, lastId),
    ]);
    const known = [...wallets, ...accounts].map(({ address }) => address);
    const chain = await rpc.getMultipleAccounts(known, 'finalized');
    return sumDifferences(wallets, books, accounts, chain.value);
  }

  /** The next wallets, with whatever accounts the chain has for them. */
  async #discover(): Promise<number> {
    const { from, until } = this.#range;
    const wallets = await loadWalletsAfter(this.#deps.database, this.#discoveredUntil, DISCOVERED_AT_A_TIME, until);
    this.#discoveredUntil = wallets.at(-1)?.walletId ?? from;
    for (const wallet of wallets) if (!this.#stopped) await this.check(wallet);
    return wallets.length;
  }

  /** One look at one wallet; answers the differences per asset, or null where something is on its way. */
  async check(wallet: ComparedWallet): Promise<Map<string, bigint> | null> {
    const { database: sql, rpc, inTransfer } = this.#deps;
    const compared = await compareWallet({ sql, rpc, inTransfer }, wallet);
    if (compared === null) return null;
    const differences = new Map<string, bigint>();
    for (const { asset, books, chain } of compared.assets) {
      const difference = chain - books;
      if (difference !== 0n) differences.set(asset, difference);
      await this.#judge(wallet, asset, difference, { books, chain, slot: compared.slot });
    }
    return differences;
  }

  async #judge(wallet: ComparedWallet, asset: Asset, difference: bigint, seen: Seen): Promise<void> {
    const { database, clock } = this.#deps;
    const { walletId } = wallet;
    const nowMs = clock.nowMs();
    const key = `${walletId} ${asset}`;
    const known = this.#suspicions.get(key);
    if (difference === 0n) {
      if (!known && !this.#alarmed.has(key)) return;
      this.#suspicions.delete(key);
      await database.write(
        `update reconciliation_alarm set resolved_at = now() where wallet_id = $1 and asset = $2 and resolved_at is null`,
        [walletId, asset],
      );
      return;
    }
    if (known?.difference !== difference) {
      this.#suspicions.set(key, { difference, looks: 1, lastMs: nowMs });
      return;
    }
    if (nowMs - known.lastMs < LOOK_APART_MS) return;
    // Counted once the alarm is on record: one that could not be written is tried again with the next look.
    if (known.looks + 1 === LOOKS) await this.#alarm(wallet, asset, difference, seen);
    known.looks += 1;
    known.lastMs = nowMs;
  }

  async #alarm({ walletId, userId }: ComparedWallet, asset: Asset, difference: bigint, seen: Seen): Promise<void> {
    const { database, log } = this.#deps;
    log.error(
      { walletId, userId, asset, difference: difference.toString() },
      'the books differ from the chain and nothing explains it',
    );
    await database.write(
      `insert into reconciliation_alarm (wallet_id, user_id, asset, books, chain, slot) values ($1, $2, $3, $4, $5, $6)
       on conflict (wallet_id, asset) where resolved_at is null do update
       set books = excluded.books, chain = excluded.chain, slot = excluded.slot`,
      [walletId, userId, asset, seen.books, seen.chain, seen.slot],
    );
  }

  async #report(): Promise<void> {
    const rows = await this.#deps.database.query<{ sum: Lamports; count: number }>(
      `select coalesce(sum(abs(chain - books)) filter (where asset = $1), 0)::numeric(40, 0) as sum, count(*)::int as count
       from reconciliation_alarm where resolved_at is null`,
      [SOL],
    );
    this.#deps.report(rows[0]!.sum, rows[0]!.count);
  }
}

async function loadAlarmed(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ key: string }>(
    `select wallet_id || ' ' || asset as key from reconciliation_alarm where resolved_at is null`,
  );
  return new Set(rows.map((row) => row.key));
}
