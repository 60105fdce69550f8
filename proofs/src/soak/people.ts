import type { CallName } from '@hunter/contract/calls';
import { Keypair } from '@hunter/solana/keypair';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, registerUser, untilFunded, type Answer, type ProductUser } from '../../../scripts/product-client.ts';
import { Random } from '../../../scripts/random.ts';

// People who do what people do, and who press the button again with the same key when the answer does not come. Parts die
// around them; what must not happen is that one press becomes two orders.

export type Counts = { actions: number; unanswered: number; answers: Record<string, number>; internal: string[] };

type Press = { key: string; name: CallName; orders: Set<string> };

/** How often somebody presses again when no answer comes: long enough to outlast a restart. */
const PRESSES_MAX = 20;
const PRESS_AGAIN_MS = 1_000;

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
    const random = new Random(this.#seed * 10_007 + index);
    const user = await this.#arrive(index);
    if (!user) return;
    while (!this.#stopped) {
      await this.#act(user, random, index);
      await delay(200 + random.below(1_500));
    }
  }

  /** Registering is not repeatable by key: whoever lost the answer asks for another code, with another address. */
  async #arrive(index: number): Promise<ProductUser | null> {
    for (let attempt = 0; attempt < 10 && !this.#stopped; attempt += 1) {
      try {
        const user = await registerUser(this.#web, `soak-${this.#seed}-${index}-${attempt}-${Date.now()}@example.com`);
        await untilFunded(this.#web, user);
        return user;
      } catch {
        this.counts.unanswered += 1;
        await delay(PRESS_AGAIN_MS);
      }
    }
    return null;
  }

  async #act(user: ProductUser, random: Random, index: number): Promise<void> {
    const tokenContractAddress = random.pick(this.#mints);
    const wish = random.below(100);
    if (wish < 30) {
      const amount = `0.0${1 + random.below(9)}${random.below(10)}`;
      await this.#press(user, random, 'tokenTransfer', {
        tokenContractAddress,
        side: 'buy',
        amount,
        slippageBps: 1000,
      });
    } else if (wish < 42) {
      await this.#press(user, random, 'tokenClose', { tokenContractAddress, slippageBps: 1000 });
    } else if (wish < 50) {
      await this.#press(user, random, 'faucet', { amount: '1' });
    } else if (wish < 56 && index % 4 === 0) {
      const coins = [{ tokenContractAddress, weight: '40' }];
      const name = `Soak ${index} ${random.below(1_000_000)}`;
      await this.#press(user, random, 'createStrategy', { name, capital: '1', coins, autoClear: random.chance(0.5) });
    } else if (wish < 64) {
      const slug = await this.#aSlug(random, user, 'all');
      if (slug)
        await this.#press(user, random, 'followStrategy', {
          slug,
          mode: random.pick(['sol', 'position']),
          amount: '0.5',
        });
    } else if (wish < 72) {
      await this.#tradeAsCreator(user, random, tokenContractAddress);
    } else if (wish < 77) {
      const slug = await this.#aSlug(random, user, 'followed');
      if (slug) await this.#press(user, random, 'cancelFollow', { slug });
    } else if (wish < 79) {
      const slug = await this.#aSlug(random, user, 'created');
      if (slug) await this.#press(user, random, 'closeStrategy', { slug });
    } else if (wish < 81) {
      await this.#changePassword(user, random);
    } else if (wish < 89) {
      const toWallet = Keypair.generate().address;
      await this.#press(user, random, 'withdrawal', { toWallet, amount: '0.05', password: user.password });
    } else {
      await this.#press(user, random, random.pick(['getMyAccount', 'getMyPositions', 'getMyFollows', 'myWallet']), {});
    }
  }

  /** Takes no key: whoever lost the answer tries again, and learns from a refusal that it had worked. */
  async #changePassword(user: ProductUser, random: Random): Promise<void> {
    const password = `a changed password ${random.below(1_000_000)}`;
    const request = { oldPassword: user.password, password, confirmPassword: password };
    for (let attempt = 0; attempt < PRESSES_MAX; attempt += 1) {
      const answer = await this.#try('changePassword', request, user);
      const error = answer?.data['error'];
      if (answer?.code === 200 || (attempt > 0 && error === 'WRONG_PASSWORD')) {
        user.password = password;
        return;
      }
      if (error === 'WRONG_PASSWORD') return;
      await delay(PRESS_AGAIN_MS);
    }
  }

  async #tradeAsCreator(user: ProductUser, random: Random, tokenContractAddress: string): Promise<void> {
    const slug = await this.#aSlug(random, user, 'created');
    if (!slug) return;
    const detail = await this.#try('getStrategyDetail', { slug }, user);
    const bookId = detail?.data['bookId'];
    if (typeof bookId !== 'string') return;
    const side = random.chance(0.6) ? 'buy' : 'sell';
    if (side === 'buy') {
      const request = { tokenContractAddress, side, amount: '0.05', bookId, slippageBps: 1000 };
      await this.#press(user, random, 'tokenTransfer', request);
    } else {
      await this.#press(user, random, 'tokenClose', { tokenContractAddress, bookId, slippageBps: 1000 });
    }
  }

  async #aSlug(random: Random, user: ProductUser, scope: string): Promise<string | null> {
    const answer = await this.#try('getStrategyList', { scope, status: 'running', sortBy: 'newest' }, user);
    const lists = (answer?.data['lists'] ?? []) as { slug: string; mine: boolean; following: boolean }[];
    const fitting = scope === 'all' ? lists.filter((row) => !row.mine && !row.following) : lists;
    return fitting.length === 0 ? null : random.pick(fitting).slug;
  }

  async #press(user: ProductUser, random: Random, name: CallName, request: object): Promise<void> {
    this.counts.actions += 1;
    const press: Press = { key: `soak-${random.below(2 ** 31)}-${this.counts.actions}`, name, orders: new Set() };
    this.presses.push(press);
    for (let attempt = 0; attempt < PRESSES_MAX; attempt += 1) {
      const answer = await this.#try(name, request, user, press.key);
      if (answer) {
        if (name === 'tokenTransfer' && answer.code === 200) press.orders.add(String(answer.data['id']));
        // Now and then the same button once more, although the answer came.
        if (answer.code !== 1005 && !(attempt === 0 && random.chance(0.1))) return;
      }
      if (this.#stopped) return;
      await delay(PRESS_AGAIN_MS);
    }
  }

  async #try(name: CallName, request: object, user: ProductUser, idempotencyKey?: string): Promise<Answer | null> {
    try {
      const asking = { token: user.token, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
      const answer = await ask(this.#web, name, request, asking);
      const kind = `${name} ${answer.code === 200 ? 'OK' : String(answer.data['error'])}`;
      this.counts.answers[kind] = (this.counts.answers[kind] ?? 0) + 1;
      if (answer.code === 500)
        this.counts.internal.push(`${new Date().toISOString()} ${name} ${JSON.stringify(request)}`);
      return answer.code === 500 ? null : answer;
    } catch {
      this.counts.unanswered += 1;
      return null;
    }
  }
}
