import type { Clock } from '../platform/clock.ts';
import { VenueError } from './venue-error.ts';

/** From the most urgent: what sells or executes, what quotes, what nobody waits for. */
export const priorities = ['execution', 'quote', 'background'] as const;
export type Priority = (typeof priorities)[number];

const WAITING_MAX = 10_000;

type Waiting = { deadlineMs: number; start: () => void; giveUp: (error: Error) => void };

/**
 * A token bucket shared by every request to one venue. Requests beyond the rate wait; whenever one may go, the most urgent
 * goes first, and among equals the one that has waited longest. One that would wait past its deadline is refused.
 */
export class RequestBudget {
  readonly #perSecond: number;
  readonly #clock: Clock;
  readonly #waiting: Record<Priority, Waiting[]> = { execution: [], quote: [], background: [] };
  #tokens: number;
  #filledAtMs: number;
  #draining = false;

  /** A second's worth of requests may go at once. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
    this.#tokens = Math.max(1, perSecond);
    this.#filledAtMs = clock.nowMs();
  }

  /** Resolves when the request may be sent. */
  take(priority: Priority, waitMaxMs: number): Promise<void> {
    this.#fill();
    if (this.#tokens >= 1 && !this.#draining) {
      this.#tokens -= 1;
      return Promise.resolve();
    }
    const queue = this.#waiting[priority];
    if (queue.length >= WAITING_MAX) return Promise.reject(tooMany());
    return new Promise((start, giveUp) => {
      queue.push({ deadlineMs: this.#clock.nowMs() + waitMaxMs, start, giveUp });
      if (!this.#draining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (priorities.some((priority) => this.#waiting[priority].length > 0)) {
      if (this.#tokens < 1) await this.#clock.pause(Math.ceil(((1 - this.#tokens) * 1_000) / this.#perSecond));
      this.#fill();
      this.#refuseLate();
      for (const priority of priorities) {
        while (this.#tokens >= 1 && this.#waiting[priority].length > 0) {
          this.#tokens -= 1;
          this.#waiting[priority].shift()!.start();
        }
      }
    }
    this.#draining = false;
  }

  #fill(): void {
    const nowMs = this.#clock.nowMs();
    // A clock that was set back takes nothing away.
    const gained = (Math.max(0, nowMs - this.#filledAtMs) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(Math.max(1, this.#perSecond), this.#tokens + gained);
    this.#filledAtMs = nowMs;
  }

  #refuseLate(): void {
    const nowMs = this.#clock.nowMs();
    for (const priority of priorities) {
      const queue = this.#waiting[priority];
      const late = queue.filter(({ deadlineMs }) => deadlineMs < nowMs);
      if (late.length === 0) continue;
      this.#waiting[priority] = queue.filter(({ deadlineMs }) => deadlineMs >= nowMs);
      for (const { giveUp } of late) giveUp(tooMany());
    }
  }
}

function tooMany(): VenueError {
  return new VenueError('RATE_LIMITED', 'too many requests to the venue are waiting');
}
