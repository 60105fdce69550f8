export type Verdict = {
  knownMedianMs: number;
  unknownMedianMs: number;
  /** Difference of the medians, and how large it gets by chance when one group is split in two. */
  differenceMs: number;
  chanceMs: number;
  /** Mann–Whitney: standard deviations by which one group lies behind the other. */
  z: number;
  /** How often somebody who compares two answers guesses right: one half is no better than a coin. */
  guessedRight: number;
  distinguishable: boolean;
};

/** About one in four hundred runs passes this by chance alone. */
const Z_MAX = 3;

/** Whether two groups of times can be told apart, by their ranks and not by their means, which a single pause would move. */
export function decideDistinguishable(known: readonly number[], unknown: readonly number[]): Verdict {
  const ranked = [...known.map((ms) => ({ ms, known: true })), ...unknown.map((ms) => ({ ms, known: false }))].sort(
    (left, right) => left.ms - right.ms,
  );
  const rankSum = ranked.reduce((sum, entry, index) => (entry.known ? sum + index + 1 : sum), 0);
  const pairs = known.length * unknown.length;
  const wins = rankSum - (known.length * (known.length + 1)) / 2;
  const deviation = Math.sqrt((pairs * (known.length + unknown.length + 1)) / 12);
  const z = (wins - pairs / 2) / deviation;
  return {
    knownMedianMs: rounded(median(known)),
    unknownMedianMs: rounded(median(unknown)),
    differenceMs: rounded(median(known) - median(unknown)),
    chanceMs: rounded(Math.max(splitDifference(known), splitDifference(unknown))),
    z: rounded(z),
    guessedRight: rounded(Math.max(wins, pairs - wins) / pairs),
    distinguishable: Math.abs(z) > Z_MAX,
  };
}

/** The difference between every second one and the others: two halves of the same thing. */
function splitDifference(values: readonly number[]): number {
  const even = values.filter((_, index) => index % 2 === 0);
  const odd = values.filter((_, index) => index % 2 === 1);
  return Math.abs(median(even) - median(odd));
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
