import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { SOL } from '../ledger/journal.ts';
import { loadWalletAmounts } from '../ledger/wallet-balance.ts';
import { FIRST_WALLET, loadWallets, loadWalletsAfter, type Wallet } from '../ledger/wallets.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { OPEN_ORDER_STATES } from './order.ts';
import { hasOpenTransaction } from '../sending/transaction-store.ts';

// Compares every wallet's books with the chain, wallet by wallet, over and over. Compared is only what stands still: nothing
// held, nothing confirmed that is not yet final, and the books unchanged while the chain was read. A difference that stays the
// same over several looks is explained by nothing on its way, so it becomes an alarm. Nothing is ever corrected here.

const PASS_MS = 3_000;
const WALLETS_PER_PASS = 40;
/**
 * Looks in a row, at least this far apart, with one and the same difference. Together they take longer than the sweep that finds
 * a deposit whose notice was lost, and its finality.
 */
const LOOKS = 10;
const LOOK_APART_MS = 10_000;

/** Finality takes seconds. What the chain dropped stays confirmed here for ever and must not hide the difference it makes. */
const FINAL_WITHIN = '10 minutes';

type ComparedWallet = Pick<Wallet, 'walletId' | 'userId' | 'address'>;
type Suspicion = { difference: bigint; looks: number; lastMs: number };

export type ReconciliationDeps = {
  database: Database;
  rpc: RpcClient;
  log: Log;
  /** Told after every pass the sum of all unexplained lamports, and over how many wallets and assets the differences are. */
  report: (lamports: bigint, differences: number) => void;
  /** Wallets with a transfer on its way, from them or to them. */
  inTransfer?: (sql: Sql) => Promise<ReadonlySet<string>>;
  clock: Clock;
};

export class Reconciliation {
  readonly #deps: ReconciliationDeps;
  readonly #suspicions = new Map<string, Suspicion>();
  /** Alarms that are still open, also those that an earlier process raised. */
  #alarmed: ReadonlySet<string> = new Set();
  #after = FIRST_WALLET;
  readonly #loop: Loop;

  constructor(deps: ReconciliationDeps) {
    this.#deps = deps;
    const { clock, log } = deps;
    this.#loop = new Loop({
      name: 'reconciliation pass',
      work: () => this.pass(),
      everyMs: PASS_MS,
      firstAfterMs: PASS_MS,
      clock,
      log,
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Looks at the next wallets, suspected ones first. */
  async pass(): Promise<void> {
    const { database } = this.#deps;
    this.#alarmed = await loadAlarmed(database);
    // Suspected wallets are looked at again before the others have their turn.
    const suspected = [...new Set([...this.#alarmed, ...this.#suspicions.keys()].map((key) => key.split(' ')[0]!))];
    const again = await loadWallets(database, suspected.slice(0, WALLETS_PER_PASS));
    const next = await loadWalletsAfter(database, this.#after, WALLETS_PER_PASS);
    // Only the walk moves on: a suspected wallet far ahead must not make it skip those before.
    this.#after = next.at(-1)?.walletId ?? FIRST_WALLET;
    for (const wallet of again) await this.check(wallet);
    for (const wallet of next) if (!suspected.includes(wallet.walletId)) await this.check(wallet);
    await this.#report();
  }

  /** One look at one wallet; answers the differences per asset, or null where something is on its way. */
  async check(wallet: ComparedWallet): Promise<Map<string, bigint> | null> {
    const before = await this.#loadStill(wallet);
    if (before === null) return null;
    const chain = await this.#chainBalances(wallet.address);
    const after = await this.#loadStill(wallet);
    if (after === null || !equal(before.books, after.books)) return null;
    const differences = new Map<string, bigint>();
    for (const asset of new Set([...before.books.keys(), ...chain.amounts.keys(), SOL])) {
      const difference = (chain.amounts.get(asset) ?? 0n) - (before.books.get(asset) ?? 0n);
      if (difference !== 0n) differences.set(asset, difference);
      await this.#judge(wallet, asset, difference, {
        books: before.books.get(asset) ?? 0n,
        chain: chain.amounts.get(asset) ?? 0n,
        slot: chain.slot,
      });
    }
    return differences;
  }

  async #loadStill(wallet: ComparedWallet): Promise<{ books: Map<string, bigint> } | null> {
    const { database, inTransfer } = this.#deps;
    const still = await loadStill(database, wallet);
    return still !== null && (await inTransfer?.(database))?.has(wallet.walletId) ? null : still;
  }

  async #judge(
    { walletId, userId }: ComparedWallet,
    asset: string,
    difference: bigint,
    seen: { books: bigint; chain: bigint; slot: bigint },
  ): Promise<void> {
    const { database, log } = this.#deps;
    const nowMs = this.#deps.clock.nowMs();
    const key = `${walletId} ${asset}`;
    const known = this.#suspicions.get(key);
    if (difference === 0n) {
      if (!known && !this.#alarmed.has(key)) return;
      this.#suspicions.delete(key);
      await database.query(
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
    known.looks += 1;
    known.lastMs = nowMs;
    if (known.looks !== LOOKS) return;
    log.error(
      { walletId, userId, asset, difference: difference.toString() },
      'the books differ from the chain and nothing explains it',
    );
    await database.query(
      `insert into reconciliation_alarm (wallet_id, user_id, asset, books, chain, slot) values ($1, $2, $3, $4, $5, $6)
       on conflict (wallet_id, asset) where resolved_at is null do update
       set books = excluded.books, chain = excluded.chain, slot = excluded.slot`,
      [walletId, userId, asset, seen.books, seen.chain, seen.slot],
    );
  }

  async #report(): Promise<void> {
    const rows = await this.#deps.database.query<{ sum: bigint; count: number }>(
      `select coalesce(sum(abs(chain - books)) filter (where asset = $1), 0)::numeric(40, 0) as sum, count(*)::int as count
       from reconciliation_alarm where resolved_at is null`,
      [SOL],
    );
    this.#deps.report(rows[0]!.sum, rows[0]!.count);
  }

  async #chainBalances(address: Address): Promise<{ amounts: Map<string, bigint>; slot: bigint }> {
    const { rpc } = this.#deps;
    const [sol, plain, extended] = await Promise.all([
      rpc.getBalance(address, 'finalized'),
      rpc.getTokenAccountsByOwner(address, { programId: TOKEN_PROGRAM }, 'finalized'),
      rpc.getTokenAccountsByOwner(address, { programId: TOKEN_2022_PROGRAM }, 'finalized'),
    ]);
    const amounts = new Map<string, bigint>([[SOL, sol.value]]);
    for (const account of [...plain.value, ...extended.value]) {
      if (account.amount > 0n) amounts.set(account.mint, (amounts.get(account.mint) ?? 0n) + account.amount);
    }
    return { amounts, slot: sol.contextSlot };
  }
}

async function loadAlarmed(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ key: string }>(
    `select wallet_id || ' ' || asset as key from reconciliation_alarm where resolved_at is null`,
  );
  return new Set(rows.map((row) => row.key));
}

/** Free amounts per asset over all books of a wallet; null while something is on its way. */
async function loadStill(
  sql: Sql,
  { walletId, userId, address }: ComparedWallet,
): Promise<{ books: Map<string, bigint> } | null> {
  const rows = await loadWalletAmounts(sql, walletId);
  if (rows.some((row) => row.held > 0n)) return null;
  const moving = await sql.query(
    `select 1 from trade_order where user_id = $1 and wallet_id = $2
       and ((state = 'confirmed' and settled_at > now() - interval '${FINAL_WITHIN}') or state in ${OPEN_ORDER_STATES})
     union all select 1 from wallet_movement where wallet_id = $2 and status = 'seen' limit 1`,
    [userId, walletId],
  );
  if (moving.length > 0 || (await hasOpenTransaction(sql, 'closing', address))) return null;
  return { books: new Map(rows.filter((row) => row.amount > 0n).map((row) => [row.asset, row.amount])) };
}

function equal(left: Map<string, bigint>, right: Map<string, bigint>): boolean {
  return left.size === right.size && [...left].every(([key, value]) => right.get(key) === value);
}
