// One beat for everything that the stream moves. Messages come as often as the market trades; an eye reads four changes a
// second at best, and each change costs a frame its layout and paint. So what changed waits for the next beat, and each
// lane has its own moment within it: the chart, the rows and the trades never share a frame. What the user does does not
// wait here.

export const BEAT_MS = 250;

/** The moment of each lane within the beat, in milliseconds. */
const moments = { chart: 0, prices: 85, trades: 170 } as const;
export type Lane = keyof typeof moments;

export type LiveClockParts = {
  nowMs: () => number;
  setTimer: (run: () => void, delayMs: number) => void;
};

export type LiveClock = {
  /** Runs the work once at the lane's next moment; asking again before that changes nothing. Answers how to call it off. */
  atNext: (lane: Lane, work: () => void) => () => void;
};

export function createLiveClock(parts: LiveClockParts): LiveClock {
  const waiting: Record<Lane, Set<() => void>> = { chart: new Set(), prices: new Set(), trades: new Set() };
  const scheduled = new Set<Lane>();

  function beat(lane: Lane): void {
    scheduled.delete(lane);
    const due = [...waiting[lane]];
    waiting[lane].clear();
    for (const work of due) work();
  }

  return {
    atNext(lane, work) {
      waiting[lane].add(work);
      if (!scheduled.has(lane)) {
        scheduled.add(lane);
        const delayMs = BEAT_MS - ((parts.nowMs() + BEAT_MS - moments[lane]) % BEAT_MS);
        parts.setTimer(() => beat(lane), delayMs);
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
});
