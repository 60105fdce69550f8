export type Phase = 'decide' | 'insert' | 'build' | 'sign' | 'send' | 'confirm' | 'post';

export type Timings = {
  /** Wall time during which at least one order was in the phase, in milliseconds. Phases overlap. */
  phasesMs: Record<Phase, number>;
  /** From the start to the posting of each order, sorted. */
  p50Ms: number;
  p99Ms: number;
  totalMs: number;
};

/** Where the time of a round goes. */
export class PhaseTimings {
  readonly #now: () => number;
  readonly #startedMs: number;
  readonly #active = new Map<Phase, { count: number; sinceMs: number }>();
  readonly #spentMs = new Map<Phase, number>();
  readonly #endsMs: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
    this.#startedMs = now();
  }

  start(phase: Phase): () => void {
    const state = this.#active.get(phase) ?? { count: 0, sinceMs: 0 };
    if (state.count === 0) state.sinceMs = this.#now();
    state.count += 1;
    this.#active.set(phase, state);
    return () => {
      state.count -= 1;
      if (state.count === 0) this.#spentMs.set(phase, (this.#spentMs.get(phase) ?? 0) + this.#now() - state.sinceMs);
    };
  }

  orderEnded(): void {
    this.#endsMs.push(this.#now() - this.#startedMs);
  }

  report(): Timings {
    const ends = [...this.#endsMs].sort((left, right) => left - right);
    const at = (share: number) => ends[Math.min(ends.length - 1, Math.floor(ends.length * share))] ?? 0;
    const of = (phase: Phase) => this.#spentMs.get(phase) ?? 0;
    return {
      phasesMs: {
        decide: of('decide'),
        insert: of('insert'),
        build: of('build'),
        sign: of('sign'),
        send: of('send'),
        confirm: of('confirm'),
        post: of('post'),
      },
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      totalMs: this.#now() - this.#startedMs,
    };
  }
}
