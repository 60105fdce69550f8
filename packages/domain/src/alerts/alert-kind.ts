/** What a user is told of. Each kind is chosen by itself, for every channel. */
export const ALERT_KINDS = [
  'round-filled',
  'round-skipped',
  'follow-stopped',
  'strategy-ended',
  'trigger',
  'price',
  'wallet',
  'deposit',
  'withdrawal',
  'golden-dog',
  'security',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** `app` is the bell. */
export const ALERT_CHANNELS = ['app', 'mail', 'push', 'telegram'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];
/** The channels that leave the product. */
export type OutsideChannel = Exclude<AlertChannel, 'app'>;

/** Mailed without being asked for: what closes a position while nobody is looking. */
const MAILED: readonly AlertKind[] = ['follow-stopped', 'strategy-ended'];

/** Always mailed, by whoever raises them, with links that stop a thief: no choice of the user's takes that away. */
const MAILED_ELSEWHERE: readonly AlertKind[] = ['withdrawal', 'security'];

/** Whether the choice of a channel means anything for a kind. */
export function isChosen(kind: AlertKind, channel: AlertChannel): boolean {
  return channel !== 'mail' || !MAILED_ELSEWHERE.includes(kind);
}

/** What holds for a user who has chosen nothing. Golden dogs have a list and messages of their own. */
export function defaultChannels(kind: AlertKind): AlertChannel[] {
  if (kind === 'golden-dog') return [];
  return ALERT_CHANNELS.filter((channel) => channel !== 'mail' || MAILED.includes(kind));
}

/** Told at once on every channel, whatever else was told a moment ago. */
export function isUrgent(kind: AlertKind): boolean {
  return kind === 'security' || kind === 'withdrawal';
}
