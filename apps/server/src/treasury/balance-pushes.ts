import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Sql } from '../platform/postgres.ts';
import { loadWalletInfo } from './wallet-balance.ts';

const GATHER_MS = 50;

/** Tells users their balance after it changed. Changes within a moment are told once, with the newest value. */
export class BalancePushes {
  readonly #database: Sql;
  readonly #bus: LiveBus;
  readonly #log: Log;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Sql, bus: LiveBus, log: Log) {
    this.#database = database;
    this.#bus = bus;
    this.#log = log;
  }

  /** After the commit that changed it. */
  changed(userId: string): void {
    this.#changed.add(userId);
    if (this.#timer === null) this.#timer = setTimeout(() => void this.#flush(), GATHER_MS).unref();
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const userIds = [...this.#changed];
    this.#changed.clear();
    for (const userId of userIds) {
      try {
        this.#bus.publish('balance', userId, await loadWalletInfo(this.#database, userId));
      } catch (error) {
        this.#log.warn({ error: (error as Error).message }, 'a balance could not be told');
      }
    }
  }
}
