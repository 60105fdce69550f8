import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError } from './configuration.ts';
import type { ReadyFacts, RunningService, Service } from './service.ts';
import { reasonOf, StartError } from './start-error.ts';

const FIRST_ATTEMPTS_MAX = 3;
const EARLY_ATTEMPTS_MAX = 10;
const QUIET_MS = 10_000;

/**
 * Keeps services running. Each goes through
 *
 *   waiting (for its needs) → starting → running → (it ends) → pausing → starting → …
 *
 * on its own: the end of one never stops another. During the first start a service that fails again and again, or whose
 * variables are wrong, fails the whole start; later it is tried for ever, with a pause that doubles up to a limit and is forgotten after a quiet time.
 */
export type SupervisorOptions = {
  readonly services: readonly Service[];
  readonly report: (line: string) => void;
  readonly pauseMinMs?: number;
  readonly pauseMaxMs?: number;
};

export class Supervisor {
  readonly #services: readonly Service[];
  readonly #report: (line: string) => void;
  readonly #pauseMinMs: number;
  readonly #pauseMaxMs: number;
  readonly #running = new Map<string, RunningService>();
  readonly #facts = new Map<string, ReadyFacts>();
  readonly #loops = new Map<string, Promise<void>>();
  readonly #stopping = new Map<string, AbortController>();

  constructor(options: SupervisorOptions) {
    this.#services = options.services;
    this.#report = options.report;
    this.#pauseMinMs = options.pauseMinMs ?? 200;
    this.#pauseMaxMs = options.pauseMaxMs ?? 5_000;
    for (const { name } of options.services) this.#stopping.set(name, new AbortController());
  }

  /** Resolves with what every service said when all are ready for the first time. */
  async start(): Promise<ReadonlyMap<string, ReadyFacts>> {
    const ready = new Map<string, Promise<ReadyFacts>>();
    for (const service of this.#services) {
      const needs = service.needs.map((name) => {
        const need = ready.get(name);
        if (!need) throw new Error(`${service.name} needs ${name}, which is not listed before it`);
        return need;
      });
      const first = Promise.withResolvers<ReadyFacts>();
      ready.set(service.name, first.promise);
      // The failure is reported by the Promise.all below; a need that nobody awaits any more must not count as unhandled.
      first.promise.catch(() => {});
      this.#loops.set(service.name, this.#supervise(service, needs, first));
    }
    const facts = await Promise.all(ready.values());
    return new Map([...ready.keys()].map((name, index) => [name, facts[index] ?? {}]));
  }

  /** Stops each once those that need or use it have stopped; what does not depend on each other stops together. */
  async stop(): Promise<void> {
    const stopped = new Map<string, Promise<void>>();
    for (const { name } of this.#services.toReversed()) {
      const users = this.#services.filter(({ needs, uses = [] }) => [...needs, ...uses].includes(name));
      const usersStopped = Promise.all(users.flatMap((user) => stopped.get(user.name) ?? []));
      stopped.set(
        name,
        usersStopped.then(() => this.#stopOne(name)),
      );
    }
    await Promise.all(stopped.values());
  }

  async #stopOne(name: string): Promise<void> {
    this.#stopping.get(name)?.abort();
    await this.#running.get(name)?.stop();
    await this.#loops.get(name);
  }

  async #supervise(
    service: Service,
    needs: readonly Promise<ReadyFacts>[],
    first: PromiseWithResolvers<ReadyFacts>,
  ): Promise<void> {
    const { name } = service;
    const signal = this.#signal(name);
    try {
      await untilAborted(Promise.all(needs), signal);
    } catch (error) {
      first.reject(error);
      return;
    }
    let pauseMs = this.#pauseMinMs;
    let wasReady = false;
    for (let failures = 0; !signal.aborted;) {
      const startedAt = performance.now();
      let reason: string;
      try {
        const running = await service.start({ signal, facts: this.#facts });
        this.#running.set(name, running);
        this.#facts.set(name, running.facts);
        if (wasReady) this.#report(`${name} is running again`);
        wasReady = true;
        first.resolve(running.facts);
        // Aborted while starting: nobody has told this one to stop yet.
        if (signal.aborted) await running.stop();
        reason = await running.exited;
        this.#running.delete(name);
      } catch (error) {
        reason = reasonOf(error);
        failures += 1;
        const isMisconfigured = error instanceof ConfigurationError;
        if (!wasReady && (isMisconfigured || failures >= this.#attemptsMax(name)) && !signal.aborted) {
          const line = reason.replaceAll(/^/gm, `${name} did not start: `);
          first.reject(isMisconfigured ? new ConfigurationError([line]) : new StartError(line));
          return;
        }
      }
      if (signal.aborted) break;
      if (performance.now() - startedAt > QUIET_MS) pauseMs = this.#pauseMinMs;
      // Before the first time everything is ready, the one line that ends the start says it all.
      if (wasReady) this.#report(`${name} stopped (${reason}); starting it again in ${pauseMs} ms`);
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, this.#pauseMaxMs);
    }
    first.reject(new StartError(`${name} was stopped`));
  }

  /** While another service is still starting, this one may only have been too early. */
  #attemptsMax(name: string): number {
    const alone = this.#services.every((other) => other.name === name || this.#facts.has(other.name));
    return alone ? FIRST_ATTEMPTS_MAX : EARLY_ATTEMPTS_MAX;
  }

  #signal(name: string): AbortSignal {
    const controller = this.#stopping.get(name);
    if (!controller) throw new Error(`unknown service ${name}`);
    return controller.signal;
  }
}

async function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new StartError('the start was interrupted'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
