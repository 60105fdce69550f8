import type { AskedExport } from '../limits/export-rules.ts';

/** What is remembered per personal wallet besides its money: whether its owner froze it, an export that waits, its last reset. */
export type OwnerRecord =
  | { t: 'frz'; w: string; at: number | null }
  | { t: 'xpd'; w: string; asked: AskedExport | null }
  | { t: 'rst'; w: string; at: number };

export class OwnerRegister {
  readonly #frozen = new Map<string, number>();
  readonly #asked = new Map<string, AskedExport>();
  readonly #resets = new Map<string, number>();

  isFrozen(walletId: string): boolean {
    return this.#frozen.has(walletId);
  }

  get frozenCount(): number {
    return this.#frozen.size;
  }

  askedExport(walletId: string): AskedExport | null {
    return this.#asked.get(walletId) ?? null;
  }

  /** The exports that wait, by wallet. */
  get askedExports(): ReadonlyMap<string, AskedExport> {
    return this.#asked;
  }

  /** How many exports wait for their time. */
  waitingExports(now: number): number {
    let count = 0;
    for (const { readyAt } of this.#asked.values()) if (readyAt > now) count += 1;
    return count;
  }

  /** When the password of each wallet was last reset. */
  get resets(): ReadonlyMap<string, number> {
    return this.#resets;
  }

  apply(record: OwnerRecord): void {
    switch (record.t) {
      case 'frz':
        if (record.at === null) this.#frozen.delete(record.w);
        else this.#frozen.set(record.w, record.at);
        break;
      case 'xpd':
        if (record.asked === null) this.#asked.delete(record.w);
        else this.#asked.set(record.w, record.asked);
        break;
      case 'rst':
        this.#resets.set(record.w, record.at);
    }
  }

  *records(since: number): Iterable<OwnerRecord> {
    for (const [w, at] of this.#frozen) yield { t: 'frz', w, at };
    for (const [w, asked] of this.#asked) if (asked.readyAt >= since) yield { t: 'xpd', w, asked };
    for (const [w, at] of this.#resets) if (at >= since) yield { t: 'rst', w, at };
  }
}
