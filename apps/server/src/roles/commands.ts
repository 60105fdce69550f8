import { AppError } from '@hunter/contract/app-error';
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { CallName } from '@hunter/contract/calls';
import type { Caller, Handlers } from '../http/handlers.ts';
import { LostAnswerError, NoResponderError, subjectOf, type Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Sql } from '../platform/postgres.ts';
import { traceContext, traced, type TraceContext } from '../platform/traces.ts';
import { laneShard } from '../strategies/strategy-lanes.ts';
import { loadStrategy, loadStrategyOfBook } from '../strategies/strategy-store.ts';

// Calls that decide over money are carried out by an engine, wherever they arrive: those of a strategy by the engine that looks after
// its lane, those of triggers by the one that has the triggers, the others by any. An answer that is lost is asked for again under the
// same request key, by which the use case finds what it already did.

const SUBJECT = 'command';
const TRIGGERS = 'triggers';
const ANY = 'any';
/** Longer than a call waits for the chain. */
const ANSWER_MS = 14_000;
const TRIES_MAX = 2;
/** How long a call waits for an engine while there is none, as between a crash and the next owner. */
const PATIENCE_MS = 8_000;
const ASK_AGAIN_MS = 200;
/** Refusals of one try that do not tell what became of the one before it. */
const SAYS_NOTHING: ReadonlySet<ErrorName> = new Set(['UNAVAILABLE', 'REQUEST_IN_PROGRESS']);

const ENGINE_CALLS = [
  'withdrawal',
  'cancelWithdrawal',
  'cancelMailedWithdrawal',
  'followWallet',
  'updateWalletFollow',
  'endWalletFollow',
  'tokenTransfer',
  'tokenClose',
  'placeTrigger',
  'editTrigger',
  'pauseTrigger',
  'resumeTrigger',
  'cancelTrigger',
  'cancelAllTriggers',
  'createStrategy',
  'rebalance',
  'closeStrategy',
  'followStrategy',
  'changeFollowFunds',
  'updateFollow',
  'cancelFollow',
] as const satisfies readonly CallName[];

const isTriggerCall = (name: CallName): boolean => /Triggers?$/.test(name);

type Command = { name: CallName; request: unknown; caller: Caller; trace?: TraceContext | undefined };
type AnyHandler = (request: unknown, caller: Caller) => Promise<unknown>;

/** The handlers of an API process: those of the engine ask an engine. */
export function askEngines(handlers: Handlers, deps: { bus: Bus; sql: Sql; clock: Clock }): Handlers {
  const asking = ENGINE_CALLS.map((name) => [
    name,
    async (request: unknown, caller: Caller) => {
      const target = await targetOf(deps.sql, name, request as { slug?: string; bookId?: string });
      return ask(deps, target, { name, request, caller, trace: traceContext() });
    },
  ]);
  return { ...handlers, ...Object.fromEntries(asking) };
}

async function targetOf(
  sql: Sql,
  name: CallName,
  { slug, bookId }: { slug?: string; bookId?: string },
): Promise<string> {
  if (isTriggerCall(name)) return TRIGGERS;
  if (slug !== undefined) return String(laneShard((await loadStrategy(sql, slug)).id));
  const strategy = bookId === undefined ? null : await loadStrategyOfBook(sql, bookId);
  return strategy ? String(laneShard(strategy.id)) : ANY;
}

async function ask({ bus, clock }: { bus: Bus; clock: Clock }, target: string, command: Command): Promise<unknown> {
  const untilMs = clock.nowMs() + PATIENCE_MS;
  let lost: LostAnswerError | null = null;
  for (let tries = 1; ;) {
    try {
      return await request(bus, target, command);
    } catch (error) {
      if (error instanceof LostAnswerError && tries < TRIES_MAX) {
        lost = error;
        tries += 1;
      } else if (lost && error instanceof AppError && SAYS_NOTHING.has(error.errorName)) throw lost;
      else if (!(error instanceof NoResponderError)) throw error;
      // Where an answer was lost before, what was asked for may have happened: that is no refusal.
      else if (clock.nowMs() > untilMs) throw lost ?? new AppError('UNAVAILABLE', undefined, { cause: error });
      else await clock.pause(ASK_AGAIN_MS);
    }
  }
}

async function request(bus: Bus, target: string, command: Command): Promise<unknown> {
  try {
    return await bus.request(subjectOf(SUBJECT, target), command, ANSWER_MS);
  } catch (error) {
    // Between two owners any engine takes it: it gets the lane by asking for it. Triggers have one owner only.
    if (!(error instanceof NoResponderError) || target === ANY || target === TRIGGERS) throw error;
    return bus.request(subjectOf(SUBJECT, ANY), command, ANSWER_MS);
  }
}

/** The engine's side. */
export class CommandResponder {
  readonly #bus: Bus;
  readonly #handlers: Handlers;
  readonly #responding = new Map<string, () => void>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(bus: Bus, handlers: Handlers) {
    this.#bus = bus;
    this.#handlers = handlers;
  }

  start(): void {
    this.#respond(ANY);
  }

  /** New commands go to others from here on; settles once those under way are finished. */
  async stop(): Promise<void> {
    for (const stop of this.#responding.values()) stop();
    this.#responding.clear();
    await Promise.allSettled(this.#underWay);
  }

  hasTriggers(): void {
    this.#respond(TRIGGERS);
  }

  laneChanged(shard: number, isOwned: boolean): void {
    const target = String(shard);
    if (isOwned) return this.#respond(target);
    this.#responding.get(target)?.();
    this.#responding.delete(target);
  }

  #respond(target: string): void {
    if (this.#responding.has(target)) return;
    const stop = this.#bus.respond(subjectOf(SUBJECT, target), (message) => {
      const { name, request: input, caller, trace } = message as Command;
      const handler = this.#handlers[name] as AnyHandler | undefined;
      // A newer program may ask for a call that this one does not have.
      if (!handler) return Promise.reject(new AppError('UNAVAILABLE'));
      const run = () => handler(input, caller);
      const work = traced('command', { call: name }, run, trace);
      this.#underWay.add(work);
      const over = () => void this.#underWay.delete(work);
      work.then(over, over);
      return work;
    });
    this.#responding.set(target, stop);
  }
}
