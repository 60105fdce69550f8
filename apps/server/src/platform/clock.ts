export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
