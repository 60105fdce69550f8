import type { CopyableCoin } from '@hunter/domain/copying/copyable-coin';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Ratio } from '@hunter/domain/market/swap-maths';
import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { OrderEngine } from '../trading/order-engine.ts';
import type { Address } from '@hunter/domain/address';
import type { Transfers } from '../treasury/transfers/transfers.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import type { Pools } from './book-holdings.ts';
import type { NewEvent } from './performance/record-events.ts';
import type { StrategyMarks } from './performance/strategy-marks.ts';
import type { SharedWork } from './shared-work.ts';
import type { StrategyLanes } from './strategy-lanes.ts';

/** Pools as they are now, by mint; those nobody knows are left out. */
export interface PoolSource {
  load(mints: readonly Address[]): Promise<Pools>;
}

export type CoinFacts = Omit<CopyableCoin, 'poolLamports' | 'spot' | 'reference'>;

/** Everything the use cases of strategies work with. */
export type Strategies = {
  database: Database;
  engine: Pick<OrderEngine, 'placeRound' | 'execute' | 'finished' | 'checkQuote' | 'waitFor'>;
  /** Commits and returns between personal and strategy wallets. */
  transfers: Pick<Transfers, 'run' | 'waitFor'>;
  /** A new key in the signer that nobody can export. */
  createWallet: (owner: { userId: string; walletId: string }) => Promise<{ address: Address; sealedKey: string }>;
  pools: PoolSource;
  tokens: TokenFacts;
  /** What the market knows of a coin, whoever asks. */
  coinFacts: (mint: Address) => Promise<CoinFacts>;
  /** A coin's reference price without the trades of the linked wallets; null where too little is known. */
  referencePrice: (mint: Address, linkedWallets: ReadonlySet<string>) => Promise<Ratio | null>;
  /** Likewise as a purchase is measured: the trades of the linked wallets can lower it and never raise it. */
  referenceToBuy: (mint: Address, linkedWallets: ReadonlySet<string>) => Promise<Ratio | null>;
  /** The wallets on chain whose trades the book copies by itself. */
  copiedWallets: (sql: Sql, bookId: string) => Promise<string[]>;
  /** What these wallets put into a coin on chain within the last hour. */
  boughtLately: (mint: Address, wallets: ReadonlySet<string>) => Promise<Lamports>;
  clock: Clock;
  bus: LiveBus;
  log: Log;
  lanes: StrategyLanes;
  work: SharedWork;
  /** Strategies whose followers changed: valued within a second, so that number and funds agree. Forgotten by a crash, harmlessly. */
  due: Set<string>;
  /** When each strategy was valued last, and which coins were traded since. */
  marks: StrategyMarks;
  /** What happened in strategy books and is not in their public record yet; a read across areas. */
  loadUnrecorded: (sql: Sql, strategyIds: readonly string[]) => Promise<NewEvent[]>;
  /** Told after the commit that changed a user's books. */
  balanceChanged: (userId: string) => void;
  /** Raises a golden dog notice: a creator with a positive yield bought. */
  creatorBought: (mint: Address, detail: string) => Promise<void>;
};
