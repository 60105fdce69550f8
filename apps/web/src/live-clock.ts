// One beat for everything that the stream moves. Messages come as often as the market trades; an eye reads four changes a
// second at best, and each change costs a frame its layout and paint. So what changed waits for the next beat, and each
// lane has its own moment within it, so that the chart, the rows and the trades seldom share a frame. What the user does
// does not wait here.

/**
 * Machines that are short of breath get fewer changes, and few of them in one frame, so that what the user does never waits for
 * all. The pace slows down once the changes of a beat cost more than `slowerFromMs`, on average, and picks up again below
 * `fasterBelowMs`.
 */
export const paces = [
  { beatMs: 250, perFrame: 60, slowerFromMs: 18, fasterBelowMs: 0 },
  { beatMs: 500, perFrame: 8, slowerFromMs: 40, fasterBelowMs: 11 },
  { beatMs: 1_000, perFrame: 4, slowerFromMs: Infinity, fasterBelowMs: 26 },
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

type LiveClock = {
  /**
   * Runs the work once at the lane's next moment, or so many beats later; asking again before that changes nothing. Answers how to
   * call it off.
   */
  atNext: (lane: Lane, work: () => void, beatsLater?: number) => () => void;
  /** Whether the machine has no breath for ornaments. */
  isSlow: () => boolean;
};

export function createLiveClock(deps: LiveClockDeps): LiveClock {
  /** How many more beats each of them waits for after the next one. */
  const waiting: Record<Lane, Map<() => void, number>> = { chart: new Map(), prices: new Map(), trades: new Map() };
  /** What the last beat has left for the frames after it. */
  const due: Record<Lane, Set<() => void>> = { chart: new Set(), prices: new Set(), trades: new Set() };
  const scheduled = new Set<Lane>();
  let pace = 0;
  let averageMs = 0;
  let spentMs = 0;
  let awaitsFrame = false;

  function beat(lane: Lane): void {
    scheduled.delete(lane);
    // There were too few frames for the last beat's, or none, as in a hidden tab: nothing piles up.
    const most = due[lane].size > 0 ? Infinity : paces[pace]!.perFrame;
    for (const [work, beatsLater] of waiting[lane]) {
      if (beatsLater > 0) {
        waiting[lane].set(work, beatsLater - 1);
      } else {
        waiting[lane].delete(work);
        due[lane].add(work);
      }
    }
    if (waiting[lane].size > 0) schedule(lane);
    workOn(lane, most);
  }

  function schedule(lane: Lane): void {
    if (scheduled.has(lane)) return;
    scheduled.add(lane);
    const { beatMs } = paces[pace]!;
    const delayMs = beatMs - ((deps.nowMs() + beatMs * (1 - moments[lane])) % beatMs);
    // Browsers cut fractions off. A timer that ran a fraction early would find the moment still ahead, and run twice.
    deps.setTimer(() => beat(lane), Math.ceil(delayMs));
  }

  /** As much as fits into one frame, or all. */
  function workOn(lane: Lane, most: number = paces[pace]!.perFrame): void {
    const startedMs = deps.nowMs();
    const now = [...due[lane]].slice(0, most);
    if (now.length === 0) return;
    for (const each of now) {
      due[lane].delete(each);
      each();
    }
    deps.afterRender(() => {
      spentMs += deps.nowMs() - startedMs;
    });
    // One frame at a time: a hidden tab gets none for hours, and what waits for them would pile up.
    if (awaitsFrame) return;
    awaitsFrame = true;
    deps.afterFrame(drawn);
  }

  function drawn(frameMs: number): void {
    awaitsFrame = false;
    spentMs += frameMs;
    const unfinished = lanes.filter((lane) => due[lane].size > 0);
    if (unfinished.length === 0) adapt();
    else for (const lane of unfinished) workOn(lane);
  }

  function adapt(): void {
    const beatMs = spentMs;
    spentMs = 0;
    if (beatMs > UNSEEN_MS) return;
    averageMs += (beatMs - averageMs) * WEIGHT;
    const { slowerFromMs, fasterBelowMs } = paces[pace]!;
    if (averageMs > slowerFromMs) pace += 1;
    else if (averageMs < fasterBelowMs) pace -= 1;
  }

  return {
    isSlow: () => pace === paces.length - 1,
    atNext(lane, work, beatsLater = 0) {
      if (!waiting[lane].has(work)) waiting[lane].set(work, beatsLater);
      schedule(lane);
      return () => {
        waiting[lane].delete(work);
        due[lane].delete(work);
      };
    },
  };
}

/**
 * Timers and not animation frames: what the work renders is then a task of its own before the frame that shows it, and a
 * hidden tab, which gets no frames, still tells the price in its title.
 */
export const liveClock = createLiveClock({
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
