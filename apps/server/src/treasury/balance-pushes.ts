import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Sql } from '../platform/postgres.ts';
import { loadWalletInfo } from './wallet-info.ts';

const GATHER_MS = 50;

/** Tells users their balance after it changed. Changes within a moment are told once, with the newest value. */
export class BalancePushes {
  readonly #database: Sql;
  readonly #bus: LiveBus;
  readonly #log: Log;
  readonly #changed = new Set<string>();
  readonly #clock: Clock;
  #isGathering = false;

  constructor(database: Sql, bus: LiveBus, clock: Clock, log: Log) {
    this.#database = database;
    this.#bus = bus;
    this.#clock = clock;
    this.#log = log;
  }

  /** After the commit that changed it. */
  changed(userId: string): void {
    this.#changed.add(userId);
    if (this.#isGathering) return;
    this.#isGathering = true;
    void this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#clock.pause(GATHER_MS);
    this.#isGathering = false;
    const userIds = [...this.#changed];
    this.#changed.clear();
    for (const userId of userIds) {
      try {
        this.#bus.publish('balance', userId, await loadWalletInfo(this.#database, userId));
      } catch (error) {
        this.#log.warn({ userId, err: error }, 'balance push failed; the next change of the balance pushes it again');
      }
    }
  }
}
