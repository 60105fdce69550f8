import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Sql } from '../platform/postgres.ts';
import { SharedReads } from '../platform/shared-reads.ts';
import { loadWalletInfo, type WalletInfo } from './wallet-info.ts';

const GATHER_MS = 50;

/**
 * Tells users who look on their balance after it changed. Changes within a moment are told once, with the newest value. Who begins to
 * look reads it first, so for all others it is not worth working out.
 */
export class BalancePushes {
  readonly #database: Sql;
  readonly #bus: LiveBus;
  readonly #log: Log;
  readonly #changed = new Set<string>();
  /** One telling per user at a time, so that a slow one does not bring an older balance after a newer one. */
  readonly #telling = new SharedReads<void>();
  readonly #clock: Clock;
  readonly #load: (sql: Sql, userId: string) => Promise<WalletInfo>;
  #isGathering = false;

  constructor(
    database: Sql,
    bus: LiveBus,
    clock: Clock,
    log: Log,
    load: (sql: Sql, userId: string) => Promise<WalletInfo> = loadWalletInfo,
  ) {
    this.#database = database;
    this.#bus = bus;
    this.#clock = clock;
    this.#log = log;
    this.#load = load;
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
      if (this.#bus.isFollowed('balance', userId)) await this.#telling.read(userId, () => this.#tell(userId));
    }
  }

  async #tell(userId: string): Promise<void> {
    try {
      this.#bus.publish('balance', userId, await this.#load(this.#database, userId));
    } catch (error) {
      this.#log.warn({ userId, err: error }, 'balance push failed; the next change of the balance pushes it again');
    }
  }
}
