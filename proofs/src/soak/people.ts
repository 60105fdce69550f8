import { randomUUID } from 'node:crypto';
import type { CallName } from '@hunter/contract/calls';
import { Keypair } from '@hunter/solana/keypair';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../../apps/localnet/src/people/ask.ts';
import { Person } from '../../../apps/localnet/src/people/person.ts';
import { Authenticator } from '../../../apps/signer/src/fixtures/an-authenticator.ts';
import { PROOF_PASSWORD, until } from '../../../scripts/product-client.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';

// People who use everything at random while parts of the product die around them. What must not happen is that one press
// becomes two orders.

export type Counts = { actions: number; unanswered: number; answers: Record<string, number>; internal: string[] };

/** Close enough to fire while the people are there. */
const NEAR = { unit: 'percent', value: '3' };
const TRIGGERS = [
  { kind: 'stop-loss', level: NEAR },
  { kind: 'take-profit', level: NEAR, amount: { unit: 'percent-held', value: '50' } },
  { kind: 'trailing-stop', trailing: { percent: '2' } },
  { kind: 'after-time', afterSeconds: 60 },
  { kind: 'dca', side: 'buy', amount: { unit: 'sol', value: '0.02' }, schedule: { intervalSeconds: 60, count: 3 } },
];

type Press = { key: string; name: CallName; orders: Set<string> };

/** `passkey` is null for those who have none. */
type Living = { person: Person; random: SeededRandom; index: number; passkey: Authenticator | null };

const AGAIN_MS = 1_000;
const PASSKEY_EVERY = 3;
const PASSWORD_TRIES_MAX = 20;
const LEAVE_MS_MAX = 120_000;

export class Crowd {
  readonly counts: Counts = { actions: 0, unanswered: 0, answers: {}, internal: [] };
  readonly presses: Press[] = [];
  readonly #web: string;
  readonly #mints: readonly string[];
  readonly #seed: number;
  #stopped = false;

  constructor(web: string, mints: readonly string[], seed: number) {
    this.#web = web;
    this.#mints = mints;
    this.#seed = seed;
  }

  stop(): void {
    this.#stopped = true;
  }

  async live(index: number): Promise<void> {
    const random = new SeededRandom(this.#seed * 10_007 + index);
    const person = await this.#arrive(index);
    if (!person) return;
    const living = { person, random, index, passkey: index % PASSKEY_EVERY === 0 ? await this.#enrol(person) : null };
    while (!this.#stopped) {
      await this.#act(living);
      await delay(200 + random.whole(1_500));
    }
    // Whoever goes leaves nothing behind that would trade for him.
    await until(
      async () => (await person.try('cancelAllTriggers', {}))?.code === 200,
      'triggers to be canceled',
      LEAVE_MS_MAX,
    );
  }

  /** Null where the answer was lost: a passkey that may be enrolled and is not known is of no use. */
  async #enrol(person: Person): Promise<Authenticator | null> {
    const passkey = new Authenticator('ES256', { origin: `http://localhost:${new URL(this.#web).port}` });
    const { password } = person;
    try {
      const { address } = await person.call('getMyFactors', {});
      await person.call('enrolPasskey', { password, name: 'phone', ...passkey.create(address, randomUUID()) });
      return passkey;
    } catch {
      return null;
    }
  }

  /** Registering is not repeatable by key: whoever lost the answer asks for another code, with another address. */
  async #arrive(index: number): Promise<Person | null> {
    for (let attempt = 0; attempt < 10 && !this.#stopped; attempt += 1) {
      const person = new Person({
        web: this.#web,
        email: `soak-${this.#seed}-${index}-${attempt}-${Date.now()}@example.com`,
        password: PROOF_PASSWORD,
        onAnswer: (name, request, answer) => this.#count(name, request, answer),
        isStopped: () => this.#stopped,
      });
      try {
        await person.register();
        await until(
          async () => (await person.call('myWallet', {})).walletInfo.available !== '0',
          `the welcome deposit of ${person.email}`,
        );
        return person;
      } catch {
        await delay(AGAIN_MS);
      }
    }
    return null;
  }

  async #act(living: Living): Promise<void> {
    const { person, random, index } = living;
    const tokenContractAddress = random.pick(this.#mints);
    const action = random.whole(100);
    if (action < 30) {
      const amount = `0.0${1 + random.whole(9)}${random.whole(10)}`;
      await this.#press(person, random, 'tokenTransfer', {
        tokenContractAddress,
        side: 'buy',
        amount,
        slippageBps: 1000,
        ...(random.chance(0.4) && { protect: { stopLoss: NEAR, takeProfit: NEAR } }),
      });
    } else if (action < 33) {
      await this.#press(person, random, 'placeTrigger', { tokenContractAddress, triggers: [random.pick(TRIGGERS)] });
    } else if (action < 42) {
      await this.#press(person, random, 'tokenClose', { tokenContractAddress, slippageBps: 1000 });
    } else if (action < 50) {
      await this.#press(person, random, 'faucet', { amount: '1' });
    } else if (action < 56 && index % 4 === 0) {
      const coins = [{ tokenContractAddress, weight: '40' }];
      const name = `Soak ${index} ${random.whole(1_000_000)}`;
      await this.#press(person, random, 'createStrategy', { name, capital: '1', coins, autoClear: random.chance(0.5) });
    } else if (action < 64) {
      const slug = await this.#aSlug(random, person, 'all');
      if (slug)
        await this.#press(person, random, 'followStrategy', {
          slug,
          mode: random.pick(['sol', 'position']),
          amount: '0.5',
        });
    } else if (action < 72) {
      await this.#tradeAsCreator(person, random, tokenContractAddress);
    } else if (action < 77) {
      const slug = await this.#aSlug(random, person, 'followed');
      if (slug) await this.#press(person, random, 'cancelFollow', { slug });
    } else if (action < 79) {
      const slug = await this.#aSlug(random, person, 'created');
      if (slug) await this.#press(person, random, 'closeStrategy', { slug });
    } else if (action < 81) {
      await this.#changePassword(person, random);
    } else if (action < 89) {
      await this.#withdraw(living);
    } else {
      await this.#press(
        person,
        random,
        random.pick(['getMyAccount', 'getMyPositions', 'getMyFollows', 'myWallet']),
        {},
      );
    }
  }

  /** With a touch of the passkey for this very withdrawal, where there is one. */
  async #withdraw({ person, random, passkey }: Living): Promise<void> {
    const wanted = { toWallet: Keypair.generate().address, amount: '0.05' };
    const { password } = person;
    if (passkey === null) return this.#press(person, random, 'withdrawal', { ...wanted, password });
    const review = await person.try('reviewWithdrawal', wanted);
    if (review?.code !== 200) return;
    const { id, baseUnits } = review.data as { id: string; baseUnits: string };
    const destination = wanted.toWallet;
    const factor = passkey.sign({ kind: 'withdrawal', asset: 'SOL', destination, amount: baseUnits, id });
    await this.#press(person, random, 'withdrawal', { ...wanted, password, id, factor });
  }

  /** Takes no key: whoever lost the answer tries again, and learns from a refusal that it had worked. */
  async #changePassword(person: Person, random: SeededRandom): Promise<void> {
    const password = `a changed password ${random.whole(1_000_000)}`;
    const request = { oldPassword: person.password, password, confirmPassword: password };
    for (let attempt = 0; attempt < PASSWORD_TRIES_MAX; attempt += 1) {
      const answer = await person.try('changePassword', request);
      const error = answer?.data['error'];
      if (answer?.code === 200 || (attempt > 0 && error === 'WRONG_PASSWORD')) {
        person.password = password;
        return;
      }
      if (answer !== null && error !== 'UNAVAILABLE') return;
      await delay(AGAIN_MS);
    }
  }

  async #tradeAsCreator(person: Person, random: SeededRandom, tokenContractAddress: string): Promise<void> {
    const slug = await this.#aSlug(random, person, 'created');
    if (!slug) return;
    const detail = await person.try('getStrategyDetail', { slug });
    const bookId = detail?.data['bookId'];
    if (typeof bookId !== 'string') return;
    const side = random.chance(0.6) ? 'buy' : 'sell';
    if (side === 'buy') {
      const request = { tokenContractAddress, side, amount: '0.05', bookId, slippageBps: 1000 };
      await this.#press(person, random, 'tokenTransfer', request);
    } else {
      await this.#press(person, random, 'tokenClose', { tokenContractAddress, bookId, slippageBps: 1000 });
    }
  }

  async #aSlug(random: SeededRandom, person: Person, scope: string): Promise<string | null> {
    const answer = await person.try('getStrategyList', { scope, status: 'running', sortBy: 'newest' });
    const lists = (answer?.data['lists'] ?? []) as { slug: string; mine: boolean; following: boolean }[];
    const fitting = scope === 'all' ? lists.filter((row) => !row.mine && !row.following) : lists;
    return fitting.length === 0 ? null : random.pick(fitting).slug;
  }

  async #press(person: Person, random: SeededRandom, name: CallName, request: object): Promise<void> {
    this.counts.actions += 1;
    const press: Press = { key: `soak-${random.whole(2 ** 31)}-${this.counts.actions}`, name, orders: new Set() };
    this.presses.push(press);
    // Now and then the same button once more, although the answer came.
    for (let presses = random.chance(0.1) ? 2 : 1; presses > 0; presses -= 1) {
      const answer = await person.press(name, request, press.key);
      if (name === 'tokenTransfer' && answer?.code === 200) press.orders.add(String(answer.data['id']));
    }
  }

  #count(name: CallName, request: object, answer: Answer | null): void {
    if (answer === null) {
      this.counts.unanswered += 1;
      return;
    }
    const kind = `${name} ${answer.code === 200 ? 'OK' : String(answer.data['error'])}`;
    this.counts.answers[kind] = (this.counts.answers[kind] ?? 0) + 1;
    if (answer.code === 500) {
      this.counts.internal.push(`${new Date().toISOString()} ${name} ${JSON.stringify(request)}`);
    }
  }
}
