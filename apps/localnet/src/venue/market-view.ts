import { join } from 'node:path';
import type { Chain, LedgerTransaction } from '../chain/chain.ts';
import { readIfThere, writeDurably } from './durable-file.ts';
import type { PoolRegistry } from './pool-registry.ts';
import { readTrade } from './trade.ts';
import { decodeTokenAccount } from './token-account-data.ts';
import { type StoredBucket, TradeStats } from './trade-stats.ts';

const FILE = 'market-view.json';
/** What a snapshot may lack: reading so many trades again takes a start a fraction of a second. */
const UNSAVED_TRADES_MAX = 500;
/** After a crash at most this many trades since the last snapshot are read again; older ones only blur the counts. */
const REPLAY_MAX = 5_000;
const REPLAY_PAGE = 1_000;

/** Holders are not in it: the chain's accounts say who holds what. */
type Snapshot = {
  lastSignature: string | null;
  /** Everybody who traded, by the number that the statistics use. */
  traders: string[];
  stats: Record<string, StoredBucket[]>;
};

/** What the token lists say about trading and holders: a view over the ledger, caught up at every start. */
export class MarketView {
  readonly #chain: Chain;
  readonly #pools: PoolRegistry;
  readonly #path: string;
  readonly #stats = new Map<string, TradeStats>();
  readonly #holders = new Map<string, Map<string, bigint>>();
  readonly #stopListening: () => void;
  readonly #traders = new Map<string, number>();
  #lastSignature: string | null = null;
  #unsavedTrades = 0;

  constructor(chain: Chain, pools: PoolRegistry, dataDir: string) {
    this.#chain = chain;
    this.#pools = pools;
    this.#path = join(dataDir, FILE);
    this.#stopListening = chain.onTransaction((transaction) => this.record(transaction));
  }

  stats(mint: string): TradeStats {
    return entryOf(this.#stats, mint, () => new TradeStats());
  }

  /** Balances by owner, the pool's own included. */
  holders(mint: string): Map<string, bigint> {
    return entryOf(this.#holders, mint, () => new Map<string, bigint>());
  }

  /** As the chain's accounts say; from then on transactions keep them. */
  readHolders(mint: string): void {
    const holders = this.holders(mint);
    holders.clear();
    for (const [, { data }] of this.#chain.tokenAccountsOfMint(mint, 'processed')) {
      const account = decodeTokenAccount(data);
      if (account !== null && account.amount > 0n) holders.set(account.owner, account.amount);
    }
  }

  record(transaction: LedgerTransaction): void {
    this.#recordBalances(transaction);
    this.#recordTrade(transaction);
  }

  #recordBalances(transaction: LedgerTransaction): void {
    if (transaction.err !== null) return;
    const post = transaction.postTokenBalances;
    for (const balance of transaction.preTokenBalances) {
      const gone = !post.some(({ accountIndex }) => accountIndex === balance.accountIndex);
      if (gone && this.#pools.get(balance.mint) !== undefined) this.holders(balance.mint).delete(balance.owner);
    }
    for (const balance of post) {
      if (this.#pools.get(balance.mint) === undefined) continue;
      if (balance.amount > 0n) this.holders(balance.mint).set(balance.owner, balance.amount);
      else this.holders(balance.mint).delete(balance.owner);
    }
  }

  #recordTrade(transaction: LedgerTransaction): void {
    const trade = readTrade(transaction, this.#pools);
    if (trade === null) return;
    const trader = entryOf(this.#traders, trade.taker, () => this.#traders.size);
    this.stats(trade.pool.listing.mint).record(trade, trader);
    this.#lastSignature = transaction.signature;
    this.#unsavedTrades += 1;
  }

  /** Takes up the snapshot, the trades since then and the holders of now. Once all pools are known: it counts only theirs. */
  load(reference: string): void {
    const text = readIfThere(this.#path);
    if (text !== null) this.#restore(JSON.parse(text) as Snapshot);
    const missed: LedgerTransaction[] = [];
    while (missed.length < REPLAY_MAX) {
      const before = missed.at(-1)?.signature ?? null;
      const page = this.#chain.transactionsFor(reference, { limit: REPLAY_PAGE, before, until: this.#lastSignature });
      missed.push(...page);
      if (page.length < REPLAY_PAGE) break;
    }
    for (const transaction of missed.reverse()) this.#recordTrade(transaction);
    for (const { listing } of this.#pools.all()) this.readHolders(listing.mint);
  }

  saveWhereDue(): void {
    if (this.#unsavedTrades >= UNSAVED_TRADES_MAX) this.save();
  }

  save(): void {
    this.#unsavedTrades = 0;
    const snapshot: Snapshot = {
      lastSignature: this.#lastSignature,
      traders: [...this.#traders.keys()],
      stats: Object.fromEntries([...this.#stats].map(([mint, stats]) => [mint, stats.toJSON()])),
    };
    writeDurably(this.#path, JSON.stringify(snapshot));
  }

  close(): void {
    this.#stopListening();
  }

  #restore(snapshot: Snapshot): void {
    this.#lastSignature = snapshot.lastSignature;
    for (const [index, trader] of snapshot.traders.entries()) this.#traders.set(trader, index);
    for (const [mint, buckets] of Object.entries(snapshot.stats)) this.#stats.set(mint, new TradeStats(buckets));
  }
}

function entryOf<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
