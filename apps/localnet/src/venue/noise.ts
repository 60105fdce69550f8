// Smooth pseudo-random curves that are pure functions of a key and a position: the same seed and time give the same
// value in any process, with nothing to store.
import { mixBits } from '@hunter/domain/seeded-random';

/** A uniform value in [0, 1) for one lattice point of one curve. */
export function latticeValue(key: number, point: number): number {
  const low = point >>> 0;
  const high = Math.floor(point / 4_294_967_296) >>> 0;
  return mixBits(mixBits(key ^ mixBits(low)) ^ Math.imul(high, 0x9e3779b1)) / 4_294_967_296;
}

/** Between -1 and 1, smooth, with one lattice point for each whole position. */
export function smoothNoise(key: number, position: number): number {
  const left = Math.floor(position);
  const t = position - left;
  const ease = t * t * (3 - 2 * t);
  const a = latticeValue(key, left);
  const b = latticeValue(key, left + 1);
  return (a + (b - a) * ease) * 2 - 1;
}

/**
 * Sums curves of shorter and shorter period, each lower by `decay`, as prices look at every scale. Height about 1 to 2:
 * the slower the decay, the rougher the curve.
 */
export function rollingNoise(
  key: number,
  seconds: number,
  periodSeconds: number,
  octaves: number,
  decay = 0.55,
): number {
  let sum = 0;
  let height = 1;
  let period = periodSeconds;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += smoothNoise(key + octave * 7919, seconds / period) * height;
    height *= decay;
    period /= 2.7;
  }
  return sum;
}
