import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallName, CallReply, CallRequest } from '@hunter/contract/calls';
import { type Answer, ask, type Asking } from './ask.ts';

/** How often somebody presses again when no answer comes: long enough to outlast a restart. */
const PRESSES_MAX = 20;
const PRESS_AGAIN_MS = 1_000;
const MAIL_POLLS_MAX = 100;
const MAIL_POLL_MS = 100;

/** The product said no. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: string;

  constructor(call: CallName, answer: Answer) {
    super(`${call} was refused: ${answer.msg}`);
    this.reason = String(answer.data['error']);
  }
}

type PersonDeps = {
  web: string;
  email: string;
  password: string;
  /** The address to call from; without it this machine's ordinary one. */
  localAddress?: string | undefined;
  /** Told of every answer; null where none came. */
  onAnswer?: (name: CallName, request: object, answer: Answer | null) => void;
  /** Ends pressing again. */
  isStopped?: () => boolean;
};

/** Somebody who uses the product through its public API, with an account and a session like anybody's. */
export class Person {
  readonly email: string;
  password: string;
  readonly #deps: PersonDeps;
  #token: string | undefined;

  constructor(deps: PersonDeps) {
    this.email = deps.email;
    this.password = deps.password;
    this.#deps = deps;
  }

  get isLoggedIn(): boolean {
    return this.#token !== undefined;
  }

  /** With the code from the local mailbox and the invite of local mode. */
  async register(): Promise<void> {
    const { email, password } = this;
    await this.call('sendEmailCode', { email });
    const { token } = await this.call('register', {
      email,
      password,
      confirmPassword: password,
      verificationCode: await this.#mailedCode(),
      inviteCode: 'HUNTER',
      agreement: true,
    });
    this.#token = token;
  }

  async logIn(): Promise<void> {
    const { email, password } = this;
    this.#token = this.#dataOf('login', await this.#ask('login', { email, password }, {})).token;
  }

  /** Null where no answer comes; an internal error counts as none. Whose session has ended logs in again. */
  async try(name: CallName, request: object, idempotencyKey?: string): Promise<Answer | null> {
    const answer = await this.#ask(name, request, { token: this.#token, idempotencyKey });
    if (answer?.data['error'] !== 'UNAUTHENTICATED' || this.#token === undefined) return answer;
    await this.logIn().catch(() => {});
    return this.#ask(name, request, { token: this.#token, idempotencyKey });
  }

  async #ask(name: CallName, request: object, asking: Asking): Promise<Answer | null> {
    const { web, localAddress, onAnswer } = this.#deps;
    const answer = await ask(web, name, request, { ...asking, localAddress }).catch(() => null);
    onAnswer?.(name, request, answer);
    return answer?.code === 500 ? null : answer;
  }

  /** The data of a success. */
  async call<Name extends CallName>(name: Name, request: CallRequest<Name>): Promise<CallReply<Name>> {
    return this.#dataOf(name, await this.try(name, request));
  }

  /** Moves money: pressed again under the same key until an answer comes, so that it happens once. */
  async press(name: CallName, request: object, key: string = randomUUID()): Promise<Answer | null> {
    for (let attempt = 0; attempt < PRESSES_MAX; attempt += 1) {
      const answer = await this.try(name, request, key);
      if (answer && answer.data['error'] !== 'UNAVAILABLE') return answer;
      if (this.#deps.isStopped?.()) break;
      await delay(PRESS_AGAIN_MS);
    }
    return null;
  }

  async insist<Name extends CallName>(name: Name, request: CallRequest<Name>): Promise<CallReply<Name>> {
    return this.#dataOf(name, await this.press(name, request));
  }

  #dataOf<Name extends CallName>(name: Name, answer: Answer | null): CallReply<Name> {
    if (answer === null) throw new Error(`${name} was not answered`);
    if (answer.code !== 200) throw new Refused(name, answer);
    return answer.data as CallReply<Name>;
  }

  async #mailedCode(): Promise<string> {
    for (let poll = 0; poll < MAIL_POLLS_MAX; poll += 1) {
      const { lists } = await this.call('mailbox', { email: this.email });
      const code = lists[0]?.code;
      if (code) return code;
      await delay(MAIL_POLL_MS);
    }
    throw new Error(`no code came for ${this.email}`);
  }
}
