/** A drawdown is told as a distance; it reads as what it is, a loss. */
export function asLoss(distance: string | null): string | null {
  return distance === null || /^-|^[0.]*$/.test(distance) ? distance : `-${distance}`;
}
