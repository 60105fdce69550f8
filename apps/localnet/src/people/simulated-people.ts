import { setTimeout as delay } from 'node:timers/promises';
import type { CallRequest } from '@hunter/contract/calls';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { RememberedAccounts } from './remembered-accounts.ts';
import { Person, Refused } from './person.ts';
import { STRATEGY_PLANS } from './strategy-plans.ts';
import { availableLamports, loadMarket, Strategist } from './strategist.ts';

export const FOLLOWERS = 9;
const LAMPORTS_PER_SOL = 1_000_000_000n;
const FOLLOW_MAX_LAMPORTS = 1_200_000_000n;
const COINS_MIN = 10;
/** Between moves once everything has begun. */
const PAUSE_MIN_MS = 20_000;
const PAUSE_MAX_MS = 40_000;
/** While the first records come into being. */
const WARM_UP_PAUSE_MS = 1_000;
/** Two for everybody. */
const WARM_UP_MOVES = 2 * STRATEGY_PLANS.length;
/** A strategy younger than this has no record to speak of. */
const NEW_MS = 120_000;
const FUNDING_POLLS_MAX = 240;
const PRICE_POLLS_MAX = 60;
const POLL_MS = 500;
const REFUSED_PAUSE_MS = 30_000;

/**
 * People for a product that has none: they register, publish strategies, trade in them and follow each other through the
 * public API, each from an address of its own and within the limits for everybody.
 */
export class SimulatedPeople {
  readonly #web: string;
  readonly #accounts: RememberedAccounts;
  readonly #random = new SeededRandom('simulated people');
  readonly #stop = new AbortController();

  constructor(deps: { web: string; accountsFile: string }) {
    this.#web = deps.web;
    this.#accounts = new RememberedAccounts(deps.accountsFile);
  }

  start(): void {
    this.#live().catch((error: unknown) => {
      if (!this.#isStopped()) console.error('localnet: the simulated people have stopped', error);
    });
  }

  /** What is under way is not waited for: the server finishes what it has taken on. */
  stop(): void {
    this.#stop.abort();
  }

  async #live(): Promise<void> {
    const creators = STRATEGY_PLANS.map(
      (plan, index) => new Strategist(this.#person(`creator-${index + 1}`, index), plan),
    );
    const followers = Array.from({ length: FOLLOWERS }, (_, index) =>
      this.#person(`follower-${index + 1}`, STRATEGY_PLANS.length + index),
    );
    // The first creators publish while the last ones still register.
    const entering = this.#enterAll(creators.flatMap(({ person }, index) => [person, followers[index] ?? []].flat()));
    for (const [index, creator] of creators.entries()) await this.#try(() => this.#begin(creator, index, followers));
    await entering;
    let moves = (await this.#try(() => this.#isNew(creators))) ? 0 : WARM_UP_MOVES;
    while (!this.#isStopped()) {
      const isWarmingUp = moves < WARM_UP_MOVES;
      await this.#pause(isWarmingUp ? WARM_UP_PAUSE_MS : this.#random.between(PAUSE_MIN_MS, PAUSE_MAX_MS));
      const creator = isWarmingUp ? creators[moves % creators.length]! : this.#random.pick(creators);
      await this.#try(() => this.#move(creator, followers, moves));
      moves += 1;
    }
  }

  #person(name: string, index: number): Person {
    const { email, password } = this.#accounts.get(`${name}@simulated.invalid`);
    const isStopped = (): boolean => this.#isStopped();
    return new Person({ web: this.#web, email, password, localAddress: ownAddress(index), isStopped });
  }

  /** One after another: a crowd at the door would slow down whoever else registers. */
  async #enterAll(people: readonly Person[]): Promise<void> {
    for (const person of people) await this.#enter(person);
  }

  /** Until it works: the server may start later than we do, or be killed meanwhile. */
  async #enter(person: Person): Promise<void> {
    const account = this.#accounts.get(person.email);
    while (!this.#isStopped() && !person.isLoggedIn) {
      try {
        if (account.isRegistered) await person.logIn();
        // An answer to registering that got lost leaves an account that only logging in reaches.
        else await person.register().catch(() => person.logIn());
        this.#accounts.registered(account);
      } catch (error) {
        const isRefused = error instanceof Refused;
        if (isRefused) console.error(`localnet: ${person.email} cannot log in (${error.reason}); retrying in 30 s`);
        await this.#pause(isRefused ? REFUSED_PAUSE_MS : POLL_MS);
      }
    }
  }

  async #untilLoggedIn(person: Person): Promise<void> {
    while (!this.#isStopped() && !person.isLoggedIn) await this.#pause(POLL_MS);
  }

  /** Publishes a creator's strategy and lets its first followers in, once. */
  async #begin(creator: Strategist, index: number, followers: readonly Person[]): Promise<void> {
    await this.#untilLoggedIn(creator.person);
    if (this.#isStopped() || (await creator.publishedAtMs()) !== null) return;
    while (!this.#isStopped() && (await loadMarket(creator.person)).length < COINS_MIN) await this.#pause(POLL_MS);
    if (!(await this.#isFunded(creator.person, BigInt(creator.plan.capitalSol) * LAMPORTS_PER_SOL))) return;
    const slug = await creator.publish();
    for (let count = 0; count < creator.plan.followers; count += 1) {
      const follower = followers[(index + count) % followers.length]!;
      await this.#try(async () => {
        await this.#untilLoggedIn(follower);
        if (await this.#isFunded(follower, FOLLOW_MAX_LAMPORTS)) await this.#follow(follower, slug);
      });
    }
  }

  /** The welcome deposit arrives like any other: once the chain has made it final. */
  async #isFunded(person: Person, lamports: bigint): Promise<boolean> {
    for (let poll = 0; poll < FUNDING_POLLS_MAX && !this.#isStopped(); poll += 1) {
      if ((await availableLamports(person)) >= lamports) return true;
      await this.#pause(POLL_MS);
    }
    return false;
  }

  async #follow(follower: Person, slug: string): Promise<void> {
    if ((await availableLamports(follower)) < FOLLOW_MAX_LAMPORTS) return;
    const mode = this.#random.chance(0.75) ? 'sol' : 'position';
    const amount = this.#random.between(0.3, 1.2).toFixed(3);
    await this.#untilPriced(follower, { slug, mode, amount });
    await follower.insist('followStrategy', { slug, mode, amount, multiplier: mode === 'position' ? '0.5' : '1' });
  }

  /** While the market is still being read no coin has a reference price, and a follow would begin with nothing. */
  async #untilPriced(follower: Person, request: CallRequest<'previewFollow'>): Promise<void> {
    for (let poll = 0; poll < PRICE_POLLS_MAX && !this.#isStopped(); poll += 1) {
      const { buys } = await follower.call('previewFollow', request);
      if (buys.every(({ skip }) => skip !== 'no-reference-price')) return;
      await this.#pause(POLL_MS);
    }
  }

  async #move(creator: Strategist, followers: readonly Person[], moves: number): Promise<void> {
    const slug = await creator.runningSlug();
    if (slug === null || this.#isStopped()) return;
    if (creator.plan.endsEarly === true && moves >= STRATEGY_PLANS.length) await creator.end(slug);
    else if (moves > WARM_UP_MOVES && this.#random.chance(0.08)) await this.#comeOrGo(slug, followers);
    else await creator.trade(slug);
  }

  async #comeOrGo(slug: string, followers: readonly Person[]): Promise<void> {
    const follower = this.#random.pick(followers);
    const { lists } = await follower.call('getMyFollows', { pageSize: 100 });
    const isFollowing = lists.some((follow) => follow.slug === slug && follow.status !== 'closed');
    if (isFollowing) await follower.insist('cancelFollow', { slug });
    else await this.#follow(follower, slug);
  }

  async #isNew(creators: readonly Strategist[]): Promise<boolean> {
    const times = await Promise.all(creators.map((creator) => creator.publishedAtMs()));
    return times.every((time) => time === null || Date.now() - time < NEW_MS);
  }

  /** Refusals and lost answers are ordinary; the next move comes. Null where it did not work. */
  async #try<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch {
      return null;
    }
  }

  #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stop.signal }).catch(() => {});
  }
}

/** Linux answers on all of 127.0.0.0/8. Elsewhere only 127.0.0.1 exists, and everybody shares it. */
export function ownAddress(index: number): string | undefined {
  return process.platform === 'linux' ? `127.72.${Math.floor(index / 250)}.${1 + (index % 250)}` : undefined;
}
