import type { Address } from '@hunter/solana/address';
import type { LedgerTransaction } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { type AccountWrite, poolAccounts, tokenAccount, walletAccount } from '../traders/market-setup.ts';
import type { MarketState } from '../traders/market-state.ts';
import { firstAccounts, type HistoryTrades } from '../traders/open-market.ts';
import type { PastAccounts, PastToken } from '../traders/past-accounts.ts';
import { pacedTrades, type PastTrade, type Stretch } from '../traders/past-trades.ts';
import { PastWriter } from '../traders/past-transaction.ts';
import { createPopulation } from '../traders/population.ts';
import { RENT_EXEMPT_EMPTY } from '../venue/rent.ts';
import { tokenAmountOf } from '../venue/token-account-data.ts';
import type { Venue } from '../venue/venue.ts';

const SECONDS_PER_SLOT = 0.4;
/** After a moment at which others may have acted, the market goes on in the second slot after it. */
const APART_SECONDS = 2 * SECONDS_PER_SLOT;
const BATCH = 250;

/**
 * The simulated market of the past, stretch by stretch. Between two stretches the chain stands at their common moment with
 * everything that was traded before it, so that others can trade there too; what they do is in the pools when the next
 * stretch is worked out.
 */
export class PastMarket {
  readonly #chain: LedgerChain;
  readonly #venue: Venue;
  readonly #state: MarketState;
  readonly #accounts: PastAccounts;
  readonly #writer: PastWriter;
  readonly #trades: Generator<PastTrade | null>;
  readonly #touched = new Set<string>();
  /** Who traded what in this stretch. Their accounts are written once, at its end: nobody looks at them before. */
  readonly #traded = new Map<PastToken, Set<Address>>();
  #stretch: Stretch = { from: -Infinity, until: -Infinity };

  constructor(deps: { chain: LedgerChain; venue: Venue; state: MarketState; historyTrades: HistoryTrades }) {
    const { chain, venue, state, historyTrades } = deps;
    this.#chain = chain;
    this.#venue = venue;
    this.#state = state;
    const { seed } = venue;
    const { genesisUnixSeconds, genesisSlot } = state;
    const { accounts, circles } = firstAccounts(seed, createPopulation(seed), genesisUnixSeconds);
    this.#accounts = accounts;
    const balances = new Map<Address, bigint>();
    this.#writer = new PastWriter({
      seed,
      reference: venue.address,
      genesisUnixSeconds,
      lamportsOf: (address) => {
        const known = balances.get(address) ?? chain.account(address)?.lamports ?? 0n;
        balances.set(address, known);
        return known;
      },
    });
    const { min: tradesMin, max: tradesMax } = historyTrades;
    const input = { seed, accounts, circles, genesisUnixSeconds, genesisSlot, tradesMin, tradesMax };
    this.#trades = pacedTrades(input, () => this.#stretch);
    chain.onExecuted((_, written) => {
      for (const address of written) this.#touched.add(address);
    });
  }

  /** Puts everybody and everything on the chain as it was before the first trade. */
  async begin(): Promise<void> {
    const listings = this.#accounts.tokens.map(({ token }) => token.listing);
    await this.#chain.setAccounts([...this.#accounts.writes()]);
    this.#venue.list(listings);
  }

  slotAt(seconds: number): number {
    return this.#state.genesisSlot - Math.floor(-seconds / SECONDS_PER_SLOT);
  }

  /**
   * Works out the trades from one moment to another and puts them on the chain. Its slots follow the trades, so that they can
   * be read while the next ones are worked out; nobody else may trade meanwhile. The accounts follow at the end.
   */
  async trade(from: number, until: number): Promise<void> {
    this.#takeOver();
    this.#stretch = { from: from + APART_SECONDS, until };
    let batch: PastTrade[] = [];
    for (let next = this.#trades.next(); next.value; next = this.#trades.next()) {
      batch.push(next.value);
      if (batch.length < BATCH) continue;
      await this.#record(batch);
      await this.#chain.advanceTo(batch.at(-1)!.slot);
      batch = [];
    }
    await this.#record(batch);
    await this.#chain.setAccounts(this.#writes());
    for (const { token } of this.#traded.keys()) this.#venue.pools.get(token.listing.mint)?.forgetReserves();
    this.#traded.clear();
  }

  /** The pools as the transactions of others left them. */
  #takeOver(): void {
    for (const past of this.#movedByOthers()) {
      const { vault } = this.#venue.pools.get(past.token.listing.mint)!;
      past.poolLamports = this.#chain.account(past.pool)!.lamports - RENT_EXEMPT_EMPTY;
      past.vault.amount = tokenAmountOf(this.#chain.account(vault)!.data);
    }
    this.#touched.clear();
  }

  #movedByOthers(): PastToken[] {
    return this.#touched.size === 0 ? [] : this.#accounts.tokens.filter(({ pool }) => this.#touched.has(pool));
  }

  async #record(trades: readonly PastTrade[]): Promise<void> {
    if (trades.length === 0) return;
    const unsigned = trades.map((trade) => this.#writer.compile(trade));
    const signatures = await Promise.all(
      trades.map(async (trade, index) => {
        const { taker, pool } = this.#writer.signers(trade);
        const { messageBytes } = unsigned[index]!;
        const [first, second] = await Promise.all([taker.signAside(messageBytes), pool.signAside(messageBytes)]);
        return { taker: first, pool: second };
      }),
    );
    const transactions = trades.map((trade, index): LedgerTransaction => {
      return this.#writer.write(trade, unsigned[index]!, signatures[index]!);
    });
    if (this.#movedByOthers().length > 0)
      throw new Error('somebody traded while the market of the past was worked out');
    await this.#chain.replay(transactions);
    for (const transaction of transactions.slice(0, -1)) this.#venue.view.record(transaction);
    for (const { past, wallet } of trades) {
      const traders = this.#traded.get(past) ?? new Set();
      this.#traded.set(past, traders.add(wallet.keypair.address));
    }
  }

  #writes(): AccountWrite[] {
    const writes: AccountWrite[] = [];
    const wallets = new Set<Address>();
    for (const [past, traders] of this.#traded) {
      const { amount: tokens, withheld } = past.vault;
      writes.push(...poolAccounts(past.pool, past.token.listing, { lamports: past.poolLamports, tokens, withheld }));
      for (const owner of traders) {
        wallets.add(owner);
        writes.push(holdingAccount(past, owner));
      }
    }
    for (const address of wallets) writes.push(walletAccount(address, this.#accounts.lamportsOf(address)));
    return writes;
  }
}

function holdingAccount({ token, holdings }: PastToken, owner: Address): AccountWrite {
  const { amount, withheld } = holdings.get(owner)!;
  return tokenAccount(token.listing, owner, amount, withheld);
}
