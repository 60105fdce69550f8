import { NOTHING_USED } from '../../../apps/server/src/trading/rounds/allocation-store.ts';
import { address, type Address } from '@hunter/solana/address';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { decideCopySale } from '@hunter/domain/copying/copying';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { heldTokens } from '@hunter/domain/record/position';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { unitsIn, quotePool, spotPrice, type Pool, type Side } from '@hunter/domain/market/swap-maths';
import { SOL, type Asset } from '../../../apps/server/src/ledger/journal.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../../../apps/server/src/ledger/wallet-minimum.ts';
import type { Holdings } from '../../../apps/server/src/strategies/book-holdings.ts';
import { spendableBesideFloat } from '../../../apps/server/src/strategies/copying/creator-float.ts';
import { planBuys, type BuyCandidate } from '../../../apps/server/src/strategies/copying/plan-buys.ts';
import { DEFAULT_SETTINGS } from '../../../apps/server/src/strategies/follow-settings.ts';
import type { NewPart } from '../../../apps/server/src/trading/rounds/round.ts';
import { FEE_RESERVE, type ModelRound, type RoundLedger } from './round-ledger.ts';

// A strategy's wallet on a chain in memory: people come and go, the creator trades, swaps succeed, fail or never land, strangers send
// gifts and thieves take something. After each step the books are the chain, nobody is below zero, and positions are what books hold.

const ONE_SOL = 1_000_000_000n;
const RENT = 2_039_280n;
const MINTS = ['So11111111111111111111111111111111111111113', 'So11111111111111111111111111111111111111114'].map(
  address,
);
const FOLLOWS_MAX = 12;
const nothing = { limitedBy: null, runUpLamports: lamports(0n), costLamports: lamports(0n), reason: null };

export type Played = { commands: number; filled: number; failed: number; released: number; refused: number };

export async function playRounds(seed: string, commands: number, ledgers: readonly RoundLedger[]): Promise<Played> {
  const play = new RoundPlay(seed, ledgers);
  await play.begin();
  for (let step = 0; step < commands; step += 1) {
    try {
      await play.step();
    } catch (error) {
      throw new Error(`run ${seed} breaks at command ${step}`, { cause: error });
    }
  }
  return play.played;
}

class RoundPlay {
  readonly played: Played = { commands: 0, filled: 0, failed: 0, released: 0, refused: 0 };
  readonly #random: SeededRandom;
  readonly #seed: string;
  readonly #ledgers: readonly RoundLedger[];
  /** Of each ledger, the names of the same books. */
  readonly #books: string[][] = [];
  readonly #chain = new Map<string, bigint>();
  readonly #pools = new Map<Address, Pool>();
  readonly #accounts = new Set<string>();
  #rounds = 0;

  constructor(seed: string, ledgers: readonly RoundLedger[]) {
    this.#random = new SeededRandom(seed);
    this.#seed = seed;
    this.#ledgers = ledgers;
    for (const mint of MINTS) {
      const sol = ONE_SOL * BigInt(100 + this.#random.whole(2_000));
      // From tokens of a few base units per SOL to those of billions.
      const tokens = 10n ** BigInt(7 + this.#random.whole(9)) * BigInt(1 + this.#random.whole(9));
      const pool = { virtualSol: lamports(0n), virtualTokens: baseUnits(0n), feeBps: 50n };
      this.#pools.set(mint, { ...pool, solReserve: lamports(sol), tokenReserve: baseUnits(tokens) });
    }
  }

  async begin(): Promise<void> {
    await this.#open('strategy', 50n * ONE_SOL);
    await this.#open('unclaimed', WALLET_MINIMUM_LAMPORTS);
    await this.#open('follow', ONE_SOL);
  }

  async step(): Promise<void> {
    this.played.commands += 1;
    const dice = this.#random.next();
    if (dice < 0.12) await this.#join();
    else if (dice < 0.5) await this.#buy();
    else if (dice < 0.75) await this.#sell();
    else if (dice < 0.87) await this.#exit();
    else if (dice < 0.93) await this.#deposit(this.#random.whole(this.#count), this.#amount(ONE_SOL));
    else if (dice < 0.97) await this.#takeOut();
    else await this.#steal();
    await this.#check();
  }

  get #count(): number {
    return this.#books.length;
  }

  async #open(kind: 'strategy' | 'follow' | 'unclaimed', amount: bigint): Promise<void> {
    const id = idOf(this.#seed, `book ${this.#count}`);
    this.#books.push(await this.#all((ledger) => ledger.open(kind, id)));
    await this.#deposit(this.#count - 1, amount);
  }

  async #join(): Promise<void> {
    if (this.#count < FOLLOWS_MAX + 2) await this.#open('follow', this.#amount(5n * ONE_SOL) + 1n);
  }

  async #deposit(book: number, amount: bigint): Promise<void> {
    await this.#each((ledger, names) => ledger.deposit(names[book]!, amount));
    this.#move(SOL, amount);
  }

  async #takeOut(): Promise<void> {
    const book = 2 + this.#random.whole(this.#count - 2);
    const free = await this.#cash(book, SOL);
    if (free === 0n) return;
    const amount = this.#random.chance(0.5) ? free : this.#amount(free);
    await this.#each((ledger, names) => ledger.takeOut(names[book]!, amount));
    this.#move(SOL, -amount);
  }

  async #steal(): Promise<void> {
    const asset = this.#random.chance(0.5) ? SOL : this.#random.pick(MINTS);
    // The float of the creator stays: it pays what fails later.
    const most = (this.#chain.get(asset) ?? 0n) / 20n;
    if (most === 0n) return;
    const amount = this.#amount(most) + 1n;
    await this.#all((ledger) => ledger.steal(asset, amount));
    this.#move(asset, -amount);
  }

  async #buy(): Promise<void> {
    const mint = this.#random.pick(MINTS);
    const pool = this.#pools.get(mint)!;
    const rentLamports = lamports(this.#accounts.has(mint) ? 0n : RENT);
    const books = await this.#holdings();
    const spendable = spendableBesideFloat(books[0]!, rentLamports);
    const spend = this.#amount(spendable / 3n);
    if (spend < 1_000_000n) return;
    const follows = Array.from({ length: this.#count - 2 }, (_, index) => index + 2);
    const decisions = planBuys({
      candidates: follows.map((book) => this.#candidate(book)),
      creator: { bookId: '0', tier: 'new', spendLamports: lamports(spend), freeLamports: spendable },
      mint,
      coin: {
        badges: ['ok'],
        mintAuthority: 'given-up',
        ageMs: 1e12,
        poolLamports: pool.solReserve,
        spot: spotPrice(pool),
        reference: spotPrice(pool),
      },
      refusal: null,
      holdings: new Map(books.map((book, index) => [String(index), book])),
      pools: this.#pools,
    });
    const parts = decisions.map((decision, index): Part => ({
      book: follows[index]!,
      amountIn: decision.kind === 'copy' ? decision.amountIn : 0n,
      reason: decision.kind === 'skip' ? decision.reason : null,
    }));
    await this.#trade('buy', mint, [{ book: 0, amountIn: spend, reason: null }, ...parts], rentLamports);
  }

  async #sell(): Promise<void> {
    const mint = this.#random.pick(MINTS);
    const own = await this.#cash(0, mint);
    const sold = this.#random.chance(0.3) ? own : this.#amount(own);
    if (sold === 0n) return;
    const parts: Part[] = [{ book: 0, amountIn: sold, reason: null }];
    for (let book = 2; book < this.#count; book += 1) {
      const decision = decideCopySale({
        creatorSoldTokens: baseUnits(sold),
        creatorHeldTokensBefore: baseUnits(own),
        ownHeldTokens: baseUnits(await this.#cash(book, mint)),
      });
      parts.push({
        book,
        amountIn: decision.kind === 'copy' ? decision.amountIn : 0n,
        reason: decision.kind === 'skip' ? decision.reason : null,
      });
    }
    await this.#trade('sell', mint, parts, lamports(0n));
  }

  /** Some leave, without a part of the creator's. */
  async #exit(): Promise<void> {
    const mint = this.#random.pick(MINTS);
    const parts: Part[] = [];
    for (let book = 2; book < this.#count; book += 1) {
      const own = await this.#cash(book, mint);
      if (own > 0n && this.#random.chance(0.5)) parts.push({ book, amountIn: own, reason: null });
    }
    if (parts.length > 0) await this.#trade('sell', mint, parts, lamports(0n));
  }

  async #trade(side: Side, mint: Address, parts: readonly Part[], rentLamports: Lamports): Promise<void> {
    this.#rounds += 1;
    const total = parts.reduce((sum, { amountIn }) => sum + amountIn, 0n);
    const quote = quotePool(this.#pools.get(mint)!, side, unitsIn(side, total));
    if (quote.kind === 'refused') return;
    const cash = await Promise.all(parts.map(({ book }) => this.#cash(book, SOL)));
    const rounds = this.#ledgers.map((_, ledger): ModelRound => ({
      id: idOf(this.#seed, `round ${this.#rounds}`),
      side,
      mint,
      rentLamports,
      parts: parts.map(({ book, amountIn, reason }, index): NewPart => ({
        ...nothing,
        bookId: this.#books[book]![ledger]!,
        userId: '',
        followId: book === 0 ? null : this.#books[book]![ledger]!,
        wantedIn: unitsIn(side, amountIn),
        amountIn: unitsIn(side, amountIn),
        reason,
        freeLamports: lamports(cash[index]!),
      })),
    }));
    const isHeld = await Promise.all(this.#ledgers.map((ledger, index) => ledger.hold(rounds[index]!)));
    if (new Set(isHeld).size > 1) throw new Error('the ledgers disagree whether a round can be paid');
    await this.#check();
    if (!isHeld[0]) {
      this.played.refused += 1;
      return;
    }
    const dice = this.#random.next();
    if (dice < 0.15) {
      this.played.released += 1;
      await Promise.all(this.#ledgers.map((ledger, index) => ledger.release(rounds[index]!)));
      return;
    }
    const failed = dice < 0.3;
    const [tokens, sol] = side === 'buy' ? [quote.amountOut as bigint, total] : [total, quote.amountOut as bigint];
    const feeLamports = 5_000n + BigInt(this.#random.whole(Number(FEE_RESERVE - 5_000n) + 1));
    const rent = failed ? 0n : rentLamports;
    const fill = {
      signature: rounds[0]!.id,
      slot: BigInt(this.#rounds),
      failed,
      tokens: baseUnits(failed ? 0n : tokens),
      lamports: lamports(failed ? 0n : sol),
      feeLamports: lamports(feeLamports),
      rentLamports: rent,
      createdAccount: rent > 0n ? (`${rounds[0]!.id} account` as Address) : null,
    };
    await Promise.all(this.#ledgers.map((ledger, index) => ledger.settle(rounds[index]!, fill)));
    this.#move(SOL, -feeLamports - rent);
    this.played[failed ? 'failed' : 'filled'] += 1;
    if (failed) return;
    if (rent > 0n) this.#accounts.add(mint);
    this.#move(SOL, side === 'buy' ? -sol : sol);
    this.#move(mint, side === 'buy' ? tokens : -tokens);
    this.#pools.set(mint, quote.poolAfter);
  }

  /** Books are the chain, positions are what books hold, and every ledger says the same. */
  async #check(): Promise<void> {
    const [balances, ...others] = await Promise.all(
      this.#ledgers.map((ledger, index) => this.#named(ledger.balances(), index)),
    );
    const sums = new Map<string, bigint>();
    for (const [key, amount] of balances!) {
      const [, account, asset] = key.split(' ');
      if (amount < 0n) throw new Error(`${key} is ${amount}`);
      if (account !== 'rent') sums.set(asset!, (sums.get(asset!) ?? 0n) + amount);
    }
    for (const [asset, amount] of this.#chain) {
      if ((sums.get(asset) ?? 0n) !== amount)
        throw new Error(`books have ${sums.get(asset)} of ${asset}, the chain ${amount}`);
    }
    for (const other of others) sameMaps(balances!, other);
    const [positions, ...more] = await Promise.all(
      this.#ledgers.map((ledger, index) => this.#named(ledger.positions(), index)),
    );
    for (const [key, position] of positions!) {
      const [book, mint] = key.split(' ');
      const held = (balances!.get(`${book} cash ${mint}`) ?? 0n) + (balances!.get(`${book} held ${mint}`) ?? 0n);
      if (heldTokens(position) !== held)
        throw new Error(`the position of ${key} is ${heldTokens(position)}, its book has ${held}`);
    }
    for (const other of more) sameMaps(positions!, other);
  }

  /** Keys begin with the number of the book, whatever the ledger calls it. */
  async #named<Value>(loading: Promise<ReadonlyMap<string, Value>>, ledger: number): Promise<Map<string, Value>> {
    const numbers = new Map(this.#books.map((names, book) => [names[ledger]!, book]));
    const named = new Map<string, Value>();
    for (const [key, value] of await loading) {
      const name = [...numbers.keys()].find((each) => key.startsWith(`${each} `))!;
      named.set(`${numbers.get(name)}${key.slice(name.length)}`, value);
    }
    return named;
  }

  async #cash(book: number, asset: Asset): Promise<bigint> {
    return (await this.#ledgers[0]!.balances()).get(`${this.#books[book]![0]} cash ${asset}`) ?? 0n;
  }

  async #holdings(): Promise<Holdings[]> {
    const balances = await this.#ledgers[0]!.balances();
    return this.#books.map(([name]) => {
      const free = lamports(balances.get(`${name} cash ${SOL}`) ?? 0n);
      const rentLamports = lamports(balances.get(`${name} rent ${SOL}`) ?? 0n);
      const tokens = MINTS.map((mint) => [mint, baseUnits(balances.get(`${name} cash ${mint}`) ?? 0n)] as const);
      return {
        freeLamports: free,
        lamports: free,
        rentLamports,
        tokens: new Map(tokens.filter(([, amount]) => amount > 0n)),
      };
    });
  }

  #candidate(book: number): BuyCandidate {
    const used = NOTHING_USED;
    const name = String(book);
    const follow = { followId: name, userId: name, bookId: name, status: 'active', paused: false } as const;
    const mode = book % 3 === 0 ? 'position' : 'sol';
    return { ...DEFAULT_SETTINGS, ...used, ...follow, mode, multiplierBps: 5_000 };
  }

  #amount(below: bigint): bigint {
    return BigInt(Math.floor(this.#random.next() * Number(below)));
  }

  #move(asset: Asset, amount: bigint): void {
    this.#chain.set(asset, (this.#chain.get(asset) ?? 0n) + amount);
  }

  #all<Value>(work: (ledger: RoundLedger) => Promise<Value>): Promise<Value[]> {
    return Promise.all(this.#ledgers.map(work));
  }

  #each(work: (ledger: RoundLedger, names: string[]) => Promise<void>): Promise<unknown> {
    return Promise.all(
      this.#ledgers.map((ledger, index) =>
        work(
          ledger,
          this.#books.map((names) => names[index]!),
        ),
      ),
    );
  }
}

type Part = { book: number; amountIn: bigint; reason: NewPart['reason'] };

/** Of the form of an id in the database, and the same in every run of a seed. */
function idOf(seed: string, name: string): string {
  const digits = new SeededRandom(`${seed} ${name}`);
  const hex = Array.from({ length: 32 }, () => digits.whole(16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function sameMaps(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): void {
  const text = (map: ReadonlyMap<string, unknown>): string =>
    JSON.stringify(
      [...map].toSorted(([left], [right]) => (left < right ? -1 : 1)),
      (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    );
  if (text(one) !== text(other)) throw new Error(`the ledgers differ: ${text(one)} and ${text(other)}`);
}
