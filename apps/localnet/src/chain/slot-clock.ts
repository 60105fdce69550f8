// Slots follow wall time: slot n begins `slotMs` after slot n-1, counted from an anchor. Time also passes while the
// process is down, so a slot number seen once is never reached a second time and blockhashes age as they should.

export type SlotAnchor = { slot: number; timeMs: number };

type SlotClockOptions = {
  anchor: SlotAnchor;
  slotMs: number;
  now: () => number;
  manual: boolean;
  onSlot: (slot: number) => void;
};

/** After a pause longer than this (a sleeping laptop) the clock jumps to the present in one step. */
const STEPS_MAX = 64;

export class SlotClock {
  readonly #options: SlotClockOptions;
  #anchor: SlotAnchor;
  #slot: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SlotClockOptions) {
    this.#options = options;
    this.#anchor = options.anchor;
    this.#slot = options.anchor.slot;
  }

  get slot(): number {
    return this.#slot;
  }

  /** When a slot began or will begin. */
  startOf(slot: number): number {
    if (this.#options.manual) return this.#options.now();
    return this.#anchor.timeMs + (slot - this.#anchor.slot) * this.#options.slotMs;
  }

  start(): void {
    if (!this.#options.manual) this.#schedule();
  }

  advance(count: number): void {
    for (let i = 0; i < count; i += 1) this.#enter(this.#slot + 1);
  }

  /** Enters a later slot at once; those between hold nothing. */
  jump(slot: number): void {
    if (slot > this.#slot) this.#enter(slot);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    const nowMs = this.#options.now();
    // The system's date was set back. Slots go on from here, or the chain would stand still until that date comes again.
    if (nowMs < this.startOf(this.#slot)) this.#anchor = { slot: this.#slot, timeMs: nowMs };
    const waitMs = this.startOf(this.#slot + 1) - nowMs;
    this.#timer = setTimeout(() => this.#catchUp(), Math.max(waitMs, 0));
  }

  #catchUp(): void {
    const { slotMs, now } = this.#options;
    const due = this.#anchor.slot + Math.floor((now() - this.#anchor.timeMs) / slotMs);
    if (due - this.#slot > STEPS_MAX) this.#enter(due);
    else while (this.#slot < due) this.#enter(this.#slot + 1);
    this.#schedule();
  }

  #enter(slot: number): void {
    this.#slot = slot;
    this.#options.onSlot(slot);
  }
}
