// Smooth pseudo-random curves that are pure functions of a key and a position: the same seed and time give the same
// value in any process, with nothing to store.

/** FNV-1a over UTF-16 units, finished so that near keys give far values. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return mix(hash);
}

/** A uniform value in [0, 1) for one lattice point of one curve. */
export function latticeValue(key: number, point: number): number {
  const low = point >>> 0;
  const high = Math.floor(point / 4_294_967_296) >>> 0;
  return mix(mix(key ^ mix(low)) ^ Math.imul(high, 0x9e3779b1)) / 4_294_967_296;
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

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
