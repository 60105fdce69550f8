import type { Alarm } from '../alarm.ts';
import { DAY_MS } from './withdrawal-rules.ts';

/** The larger one first. */
const STEPS = [
  { part: 2n, word: 'half' },
  { part: 10n, word: 'a tenth' },
] as const;

/**
 * A ceiling of 24 hours comes free again every day, and a server that was taken over knows where it ends. So operators are told in the
 * signer's own log when a tenth and half of one are used, again on each further day, and for how many days in a row. A restart tells anew.
 */
export class CeilingWatch {
  readonly #what: string;
  readonly #ceiling: bigint;
  readonly #alarm: Alarm;
  /** By step: when it was told last, and the how manyeth day in a row that was. */
  readonly #told = new Map<string, { at: number; days: number }>();

  /** `what` follows "half of": "what all wallets may withdraw in 24 hours has left". */
  constructor(what: string, ceiling: bigint, alarm: Alarm) {
    this.#what = what;
    this.#ceiling = ceiling;
    this.#alarm = alarm;
  }

  /** How much of it is used of the 24 hours until now. */
  used(amount: bigint, now: number): void {
    const reached = STEPS.filter(({ part }) => amount > this.#ceiling / part);
    for (const [index, { word }] of reached.entries()) {
      const last = this.#told.get(word);
      if (last !== undefined && now < last.at + DAY_MS) continue;
      const days = last !== undefined && now < last.at + 2 * DAY_MS ? last.days + 1 : 1;
      this.#told.set(word, { at: now, days });
      // What is more than half is more than a tenth as well: one line.
      if (index > 0) continue;
      this.#alarm({ msg: `${word} of ${this.#what}${days === 1 ? '' : `, on ${days} days in a row`}` });
    }
  }
}
