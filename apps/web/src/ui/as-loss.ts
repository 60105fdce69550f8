/** The same distance in the other direction; zero has none. */
export function opposite(value: string): string {
  return value.startsWith('-') ? value.slice(1) : /[1-9]/.test(value) ? `-${value}` : value;
}

/** A drawdown is told as a distance; it reads as what it is, a loss. */
export function asLoss(distance: string | null): string | null {
  return distance === null || /^-|^[0.]*$/.test(distance) ? distance : `-${distance}`;
}
