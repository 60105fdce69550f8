import { SeededRandom } from '@hunter/domain/seeded-random';
import { Person } from '../people/person.ts';
import { FOLLOWERS, ownAddress } from '../people/simulated-people.ts';
import { RememberedAccounts } from '../people/remembered-accounts.ts';
import { availableLamports, Strategist } from '../people/strategist.ts';
import { PAST_PLANS, type PastPlan } from './past-plans.ts';

const DAY_SECONDS = 86_400;
const LAMPORTS_PER_SOL = 1_000_000_000n;
const FOLLOW_MAX_LAMPORTS = 1_200_000_000n;
/** Followers who look around at a moment; most of them for a strategy to follow, some of the others leave one. */
const VISITORS = 4;
const FOLLOW_CHANCE = 0.65;
const LEAVE_CHANCE = 0.25;
/** A follow this young is not given up. */
const LEAVE_AFTER_MOMENTS = 1;

type Creator = { readonly course: PastPlan; readonly strategist: Strategist; slug: string | null; isOver: boolean };
type Follow = { readonly follower: Person; readonly slug: string; readonly since: number };

/**
 * The simulated people in the week before the first start. They do what they do later, through the public API: register,
 * publish, trade, follow, leave. When they do it is all that this decides.
 */
export class PastPeople {
  readonly #random: SeededRandom;
  readonly #accounts: RememberedAccounts;
  readonly #creators: readonly Creator[];
  readonly #followers: readonly Person[];
  #unfunded = new Set<Person>();
  #follows: Follow[] = [];
  #moment = 0;

  constructor(deps: { web: string; accountsFile: string; seed: string }) {
    this.#random = new SeededRandom(`${deps.seed}:past people`);
    this.#accounts = new RememberedAccounts(deps.accountsFile);
    const person = (name: string, index: number): Person => {
      const { email, password } = this.#accounts.get(`${name}@simulated.invalid`);
      return new Person({ web: deps.web, email, password, localAddress: ownAddress(index) });
    };
    this.#creators = PAST_PLANS.map((course, index) => {
      const strategist = new Strategist(person(`creator-${index + 1}`, index), course.plan);
      return { course, strategist, slug: null, isOver: false };
    });
    this.#followers = Array.from({ length: FOLLOWERS }, (_, index) =>
      person(`follower-${index + 1}`, PAST_PLANS.length + index),
    );
  }

  async register(): Promise<void> {
    const people = [...this.#creators.map(({ strategist }) => strategist.person), ...this.#followers];
    this.#unfunded = new Set(people);
    await Promise.all(
      people.map(async (person) => {
        await person.register();
        this.#accounts.registered(this.#accounts.get(person.email));
      }),
    );
  }

  /** Whether everybody has the SOL of the welcome; asks one of those who had none when it was last asked. */
  async areFunded(): Promise<boolean> {
    for (const person of this.#unfunded) {
      if ((await availableLamports(person)) < 9n * LAMPORTS_PER_SOL) return false;
      this.#unfunded.delete(person);
    }
    return true;
  }

  /** What everybody does at one moment, seconds before the first start being negative. Refusals are ordinary. */
  async act(seconds: number): Promise<void> {
    this.#moment += 1;
    const days = -seconds / DAY_SECONDS;
    const work: Promise<unknown>[] = [];
    for (const creator of this.#creators) {
      const task = this.#taskOf(creator, days);
      if (task !== null) work.push(task());
    }
    for (let visitor = 0; visitor < VISITORS; visitor += 1) {
      const change = this.#random.chance(FOLLOW_CHANCE) ? this.#join() : this.#leave();
      if (change !== null) work.push(change());
    }
    await Promise.allSettled(work);
  }

  #taskOf(creator: Creator, days: number): (() => Promise<unknown>) | null {
    const { course, strategist, slug } = creator;
    if (creator.isOver || days > course.beginsDays) return null;
    if (slug === null) return async () => (creator.slug = await strategist.publish());
    if (course.endsDays !== undefined && days <= course.endsDays) {
      creator.isOver = true;
      return () => strategist.end(slug);
    }
    return this.#random.chance(course.visits) ? () => this.#visit(creator, slug) : null;
  }

  async #visit(creator: Creator, slug: string): Promise<void> {
    const isRunning = await creator.strategist.rotate(slug, creator.course.rotations ?? 1);
    if (!isRunning) creator.isOver = true;
  }

  #join(): (() => Promise<void>) | null {
    const open = this.#creators.filter(({ slug, isOver, course }) => {
      const count = this.#follows.filter((follow) => follow.slug === slug).length;
      return slug !== null && !isOver && count < 2 * course.plan.followers;
    });
    if (open.length === 0) return null;
    const slug = this.#random.pick(open).slug!;
    const strangers = this.#followers.filter(
      (follower) => !this.#follows.some((follow) => follow.slug === slug && follow.follower === follower),
    );
    if (strangers.length === 0) return null;
    const follower = this.#random.pick(strangers);
    const mode = this.#random.chance(0.75) ? 'sol' : 'position';
    const amount = this.#random.between(0.3, 1.2).toFixed(3);
    return async () => {
      if ((await availableLamports(follower)) < FOLLOW_MAX_LAMPORTS) return;
      await follower.insist('followStrategy', { slug, mode, amount, multiplier: mode === 'position' ? '0.5' : '1' });
      this.#follows.push({ follower, slug, since: this.#moment });
    };
  }

  #leave(): (() => Promise<unknown>) | null {
    const settled = this.#follows.filter(({ since }) => this.#moment - since > LEAVE_AFTER_MOMENTS);
    if (settled.length === 0 || !this.#random.chance(LEAVE_CHANCE)) return null;
    const { slug, follower } = this.#random.pick(settled);
    this.#follows = this.#follows.filter((follow) => follow.slug !== slug || follow.follower !== follower);
    return () => follower.insist('cancelFollow', { slug });
  }
}
