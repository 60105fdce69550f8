// One beat for everything that the stream moves. Messages come as often as the market trades; an eye reads four changes a
// second at best, and each change costs a frame its layout and paint. So what changed waits for the next beat, and each
// lane has its own moment within it, so that the chart, the rows and the trades seldom share a frame. What the user does
// does not wait here.

/**
 * Machines that are short of breath get fewer changes, and only so many of them in one frame, so that what the user does never
 * waits for all; not fewer, because a frame alone costs them as much as a dozen changes. The pace slows down once the changes of
 * a beat cost more than `slowerFromMs`, on average, and picks up again below `fasterBelowMs`.
 */
export const paces = [
  { beatMs: 250, perFrame: 60, slowerFromMs: 18, fasterBelowMs: 0 },
  { beatMs: 500, perFrame: 16, slowerFromMs: 40, fasterBelowMs: 11 },
  { beatMs: 1_000, perFrame: 16, slowerFromMs: Infinity, fasterBelowMs: 26 },
] as const;
/** How much one beat counts in the average. */
const WEIGHT = 0.1;
/** What took longer says that nobody was looking, not that the machine is slow. */
const UNSEEN_MS = 1_000;

/** The moment of each lane, as a share of the beat. */
const moments = { chart: 0, prices: 1 / 3, trades: 2 / 3 } as const;
type Lane = keyof typeof moments;
const lanes = Object.keys(moments) as Lane[];

type LiveClockDeps = {
  nowMs: () => number;
  setTimer: (run: () => void, delayMs: number) => void;
  /** Runs once what the work has changed is rendered. */
  afterRender: (run: () => void) => void;
  /** Runs once the next frame has been drawn, and says how long that took; in a tab that nobody sees that is when it is seen again. */
  afterFrame: (run: (frameMs: number) => void) => void;
};

export class LiveClock {
  readonly #deps: LiveClockDeps;
  /** How many more beats each of them waits for after the next one. */
  readonly #waiting: Record<Lane, Map<() => void, number>> = { chart: new Map(), prices: new Map(), trades: new Map() };
  /** What the last beat has left for the frames after it. */
  readonly #due: Record<Lane, Set<() => void>> = { chart: new Set(), prices: new Set(), trades: new Set() };
  readonly #scheduled = new Set<Lane>();
  #pace = 0;
  #averageMs = 0;
  #spentMs = 0;
  #awaitsFrame = false;

  constructor(deps: LiveClockDeps) {
    this.#deps = deps;
  }

  /** Whether the machine has no breath for ornaments. */
  isSlow(): boolean {
    return this.#pace === paces.length - 1;
  }

  /**
   * Runs the work once at the lane's next moment, or so many beats later; asking again before that changes nothing. Answers how to
   * call it off.
   */
  atNext(lane: Lane, work: () => void, beatsLater = 0): () => void {
    const waiting = this.#waiting[lane];
    if (!waiting.has(work)) waiting.set(work, beatsLater);
    this.#schedule(lane);
    return () => {
      waiting.delete(work);
      this.#due[lane].delete(work);
    };
  }

  #schedule(lane: Lane): void {
    if (this.#scheduled.has(lane)) return;
    this.#scheduled.add(lane);
    const { beatMs } = paces[this.#pace]!;
    const delayMs = beatMs - ((this.#deps.nowMs() + beatMs * (1 - moments[lane])) % beatMs);
    // Browsers cut fractions off. A timer that ran a fraction early would find the moment still ahead, and run twice.
    this.#deps.setTimer(() => this.#beat(lane), Math.ceil(delayMs));
  }

  #beat(lane: Lane): void {
    const [waiting, due] = [this.#waiting[lane], this.#due[lane]];
    this.#scheduled.delete(lane);
    // There were too few frames for the last beat's, or none, as in a hidden tab: nothing piles up.
    const most = due.size > 0 ? Infinity : paces[this.#pace]!.perFrame;
    for (const [work, beatsLater] of waiting) {
      if (beatsLater > 0) {
        waiting.set(work, beatsLater - 1);
      } else {
        waiting.delete(work);
        due.add(work);
      }
    }
    if (waiting.size > 0) this.#schedule(lane);
    this.#workOn(lane, most);
  }

  /** As much as fits into one frame, or all. */
  #workOn(lane: Lane, most: number = paces[this.#pace]!.perFrame): void {
    const due = this.#due[lane];
    const startedMs = this.#deps.nowMs();
    const now = [...due].slice(0, most);
    if (now.length === 0) return;
    for (const each of now) {
      due.delete(each);
      each();
    }
    this.#deps.afterRender(() => {
      this.#spentMs += this.#deps.nowMs() - startedMs;
    });
    // One frame at a time: a hidden tab gets none for hours, and what waits for them would pile up.
    if (this.#awaitsFrame) return;
    this.#awaitsFrame = true;
    this.#deps.afterFrame((frameMs) => this.#drawn(frameMs));
  }

  #drawn(frameMs: number): void {
    this.#awaitsFrame = false;
    this.#spentMs += frameMs;
    const unfinished = lanes.filter((lane) => this.#due[lane].size > 0);
    if (unfinished.length === 0) this.#adapt();
    else for (const lane of unfinished) this.#workOn(lane);
  }

  #adapt(): void {
    const beatMs = this.#spentMs;
    this.#spentMs = 0;
    if (beatMs > UNSEEN_MS) return;
    this.#averageMs += (beatMs - this.#averageMs) * WEIGHT;
    const { slowerFromMs, fasterBelowMs } = paces[this.#pace]!;
    if (this.#averageMs > slowerFromMs) this.#pace += 1;
    else if (this.#averageMs < fasterBelowMs) this.#pace -= 1;
  }
}

/**
 * Timers and not animation frames: what the work renders is then a task of its own before the frame that shows it, and a
 * hidden tab, which gets no frames, still tells the price in its title.
 */
export const liveClock = new LiveClock({
  nowMs: () => performance.now(),
  setTimer: (run, delayMs) => void setTimeout(run, delayMs),
  // The components that listen render in microtasks that were asked for before this one.
  afterRender: queueMicrotask.bind(globalThis),
  // A message posted before a frame is drawn comes after it.
  afterFrame: (run) =>
    void requestAnimationFrame(() => {
      const startedMs = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        run(performance.now() - startedMs);
      };
      port2.postMessage(null);
    }),
});
