import { liveClock } from '../live-clock.ts';

type SeenBeats = {
  /** Runs the work at the chart's next beat, or at the one after it is seen again. Answers how to call it off. */
  atNext: (work: () => void) => () => void;
  setSeen: (isSeen: boolean) => void;
};

/** The beats of a chart that may be scrolled out of sight: each of them redraws all its panes, for nobody then. */
export function createSeenBeats(nextBeat: (work: () => void) => () => void = beat): SeenBeats {
  const held = new Set<() => void>();
  let isSeen = true;
  return {
    atNext(work) {
      if (isSeen) return nextBeat(work);
      let callOff = () => {
        held.delete(start);
      };
      const start = () => {
        callOff = nextBeat(work);
      };
      held.add(start);
      return () => callOff();
    },
    setSeen(next) {
      isSeen = next;
      if (!isSeen) return;
      for (const start of held) start();
      held.clear();
    },
  };
}

function beat(work: () => void): () => void {
  return liveClock.atNext('chart', work);
}
