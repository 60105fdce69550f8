import { join } from 'node:path';
import type { Chain, LedgerTransaction } from '../chain/chain.ts';
import { readIfThere, writeDurably } from './durable-file.ts';
import type { PoolRegistry } from './pool-registry.ts';
import { readTrade } from './trade.ts';
import { type StoredBucket, TradeStats } from './trade-stats.ts';

const FILE = 'market-view.json';
/** After a crash at most this many trades since the last snapshot are read again; older ones only blur the counts. */
const REPLAY_MAX = 20_000;
const REPLAY_PAGE = 1_000;

type Snapshot = {
  lastSignature: string | null;
  /** Everybody who traded, by the number that the statistics use. */
  traders: string[];
  stats: Record<string, StoredBucket[]>;
  holders: Record<string, Record<string, string>>;
};

/** What the token lists say about trading and holders: a view over the ledger, rebuilt or caught up at every start. */
export class MarketView {
  readonly #chain: Chain;
  readonly #pools: PoolRegistry;
  readonly #path: string;
  readonly #stats = new Map<string, TradeStats>();
  readonly #holders = new Map<string, Map<string, bigint>>();
  readonly #stopListening: () => void;
  readonly #traders = new Map<string, number>();
  #lastSignature: string | null = null;

  constructor(chain: Chain, pools: PoolRegistry, dataDir: string) {
    this.#chain = chain;
    this.#pools = pools;
    this.#path = join(dataDir, FILE);
    const text = chain.isFresh() ? null : readIfThere(this.#path);
    if (text !== null) this.#restore(JSON.parse(text) as Snapshot);
    this.#stopListening = chain.onTransaction((transaction) => this.record(transaction));
  }

  stats(mint: string): TradeStats {
    return entryOf(this.#stats, mint, () => new TradeStats());
  }

  /** Balances by owner, the pool's own included. */
  holders(mint: string): Map<string, bigint> {
    return entryOf(this.#holders, mint, () => new Map<string, bigint>());
  }

  /** For tokens whose first holders came to them without a transaction, at genesis. */
  setHolders(mint: string, balances: Iterable<readonly [string, bigint]>): void {
    const holders = this.holders(mint);
    holders.clear();
    for (const [owner, amount] of balances) if (amount > 0n) holders.set(owner, amount);
  }

  record(transaction: LedgerTransaction): void {
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
    const trade = readTrade(transaction, this.#pools);
    if (trade === null) return;
    const trader = entryOf(this.#traders, trade.taker, () => this.#traders.size);
    this.stats(trade.pool.listing.mint).record(trade, trader);
    this.#lastSignature = transaction.signature;
  }

  /** Reads what the chain has seen since the snapshot, oldest first. */
  catchUp(reference: string): void {
    const missed: string[] = [];
    let before: string | undefined;
    while (missed.length < REPLAY_MAX) {
      const page = this.#chain.signaturesFor(reference, {
        limit: REPLAY_PAGE,
        ...(before === undefined ? {} : { before }),
        ...(this.#lastSignature === null ? {} : { until: this.#lastSignature }),
      });
      missed.push(...page);
      before = page.at(-1);
      if (page.length < REPLAY_PAGE) break;
    }
    for (const signature of missed.reverse()) {
      const transaction = this.#chain.transaction(signature);
      if (transaction !== null) this.record(transaction);
    }
  }

  save(): void {
    const snapshot: Snapshot = {
      lastSignature: this.#lastSignature,
      traders: [...this.#traders.keys()],
      stats: Object.fromEntries([...this.#stats].map(([mint, stats]) => [mint, stats.toJSON()])),
      holders: Object.fromEntries(
        [...this.#holders].map(([mint, owners]) => [
          mint,
          Object.fromEntries([...owners].map(([owner, amount]) => [owner, amount.toString()])),
        ]),
      ),
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
    for (const [mint, owners] of Object.entries(snapshot.holders)) {
      this.#holders.set(mint, new Map(Object.entries(owners).map(([owner, amount]) => [owner, BigInt(amount)])));
    }
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
