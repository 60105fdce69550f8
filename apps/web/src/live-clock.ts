// One beat for everything that the stream moves. Messages come as often as the market trades; an eye reads four changes a
// second at best, and each change costs a frame its layout and paint. So what changed waits for the next beat, and each
// lane has its own moment within it: the chart, the rows and the trades never share a frame. What the user does does not
// wait here.

/**
 * Machines that are short of breath get fewer changes, each of them whole. The pace slows down once changes take longer than
 * `slowerFromMs` to be seen, on average, and picks up again below `fasterBelowMs`.
 */
export const paces = [
  { beatMs: 250, slowerFromMs: 26, fasterBelowMs: 0 },
  { beatMs: 500, slowerFromMs: 48, fasterBelowMs: 19 },
  { beatMs: 1_000, slowerFromMs: Infinity, fasterBelowMs: 34 },
] as const;
/** How much one frame counts in the average. */
const WEIGHT = 0.1;
/** A frame that took longer says that nobody was looking, not that the machine is slow. */
const UNSEEN_MS = 1_000;

/** The moment of each lane, as a share of the beat. */
const moments = { chart: 0, prices: 1 / 3, trades: 2 / 3 } as const;
type Lane = keyof typeof moments;

type LiveClockDeps = {
  nowMs: () => number;
  setTimer: (run: () => void, delayMs: number) => void;
  /** Runs once the next frame has been drawn; in a tab that nobody sees that is when it is seen again. */
  afterFrame: (run: () => void) => void;
};

type LiveClock = {
  /** Runs the work once at the lane's next moment; asking again before that changes nothing. Answers how to call it off. */
  atNext: (lane: Lane, work: () => void) => () => void;
};

export function createLiveClock(deps: LiveClockDeps): LiveClock {
  const waiting: Record<Lane, Set<() => void>> = { chart: new Set(), prices: new Set(), trades: new Set() };
  const scheduled = new Set<Lane>();
  let pace = 0;
  let seenAfterMs = 0;
  let awaitsFrame = false;

  function beat(lane: Lane): void {
    scheduled.delete(lane);
    const due = [...waiting[lane]];
    waiting[lane].clear();
    const startedMs = deps.nowMs();
    for (const work of due) work();
    // One frame at a time: a hidden tab gets none for hours, and what waits for them would pile up.
    if (awaitsFrame) return;
    awaitsFrame = true;
    deps.afterFrame(() => {
      awaitsFrame = false;
      adapt(deps.nowMs() - startedMs);
    });
  }

  function adapt(elapsedMs: number): void {
    if (elapsedMs > UNSEEN_MS) return;
    seenAfterMs += (elapsedMs - seenAfterMs) * WEIGHT;
    const { slowerFromMs, fasterBelowMs } = paces[pace]!;
    if (seenAfterMs > slowerFromMs) pace += 1;
    else if (seenAfterMs < fasterBelowMs) pace -= 1;
  }

  return {
    atNext(lane, work) {
      waiting[lane].add(work);
      if (!scheduled.has(lane)) {
        scheduled.add(lane);
        const { beatMs } = paces[pace]!;
        const delayMs = beatMs - ((deps.nowMs() + beatMs * (1 - moments[lane])) % beatMs);
        // Browsers cut fractions off. A timer that ran a fraction early would find the moment still ahead, and run twice.
        deps.setTimer(() => beat(lane), Math.ceil(delayMs));
      }
      return () => waiting[lane].delete(work);
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
  // A message posted before a frame is drawn comes after it.
  afterFrame: (run) =>
    void requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        run();
      };
      port2.postMessage(null);
    }),
});
