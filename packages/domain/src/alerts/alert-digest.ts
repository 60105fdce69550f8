import { isUrgent, type AlertKind, type OutsideChannel } from './alert-kind.ts';

const MINUTE_MS = 60_000;

/** After a message on a channel, what comes within this time is gathered into one. */
export const DIGEST_MS: Readonly<Record<OutsideChannel, number>> = {
  mail: 15 * MINUTE_MS,
  push: MINUTE_MS,
  telegram: MINUTE_MS,
};

/** Lines that a digest names; the others are counted. */
export const DIGEST_LINES_MAX = 10;

export type DeliveryState = {
  /** When the last message left on this channel; null before the first. */
  readonly lastSentMs: number | null;
  /** When what already waits on this channel is due; null where nothing waits. */
  readonly waitingUntilMs: number | null;
};

/**
 * When an alert leaves on a channel. The first goes at once; those that follow within the channel's time wait and go together,
 * so that a busy hour makes a few messages and not a flood. Urgent ones never wait, and take along what does.
 */
export function dueAtMs(kind: AlertKind, channel: OutsideChannel, state: DeliveryState, nowMs: number): number {
  if (isUrgent(kind)) return nowMs;
  if (state.waitingUntilMs !== null) return Math.max(nowMs, state.waitingUntilMs);
  if (state.lastSentMs === null) return nowMs;
  return Math.max(nowMs, state.lastSentMs + DIGEST_MS[channel]);
}

export type Digest<Alert> = { readonly shown: readonly Alert[]; readonly further: number };

/** The newest of them, newest last, and how many more there are. */
export function digestOf<Alert>(alerts: readonly Alert[]): Digest<Alert> {
  return { shown: alerts.slice(-DIGEST_LINES_MAX), further: Math.max(0, alerts.length - DIGEST_LINES_MAX) };
}
