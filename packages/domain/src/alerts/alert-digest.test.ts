import { describe, expect, it } from 'vitest';
import { DIGEST_LINES_MAX, DIGEST_MS, digestOf, dueAtMs } from './alert-digest.ts';
import { ALERT_CHANNELS, ALERT_KINDS, defaultChannels, isChosen } from './alert-kind.ts';

const NOTHING = { lastSentMs: null, waitingUntilMs: null };
const now = 1_000_000_000;

describe('when an alert leaves', () => {
  it('is at once where nothing was sent before, or long ago', () => {
    expect(dueAtMs('round-filled', 'mail', NOTHING, now)).toBe(now);
    const longAgo = { lastSentMs: now - DIGEST_MS.mail, waitingUntilMs: null };
    expect(dueAtMs('round-filled', 'mail', longAgo, now)).toBe(now);
  });

  it('is after the time of the channel where a message left a moment ago', () => {
    const state = { lastSentMs: now - 1_000, waitingUntilMs: null };
    expect(dueAtMs('round-filled', 'mail', state, now)).toBe(now - 1_000 + DIGEST_MS.mail);
    expect(dueAtMs('round-filled', 'push', state, now)).toBe(now - 1_000 + DIGEST_MS.push);
  });

  it('is together with what already waits', () => {
    const state = { lastSentMs: now - 1_000, waitingUntilMs: now + 5_000 };
    expect(dueAtMs('price', 'telegram', state, now)).toBe(now + 5_000);
    expect(dueAtMs('price', 'telegram', { ...state, waitingUntilMs: now - 5_000 }, now)).toBe(now);
  });

  it('is at once for what is urgent', () => {
    const state = { lastSentMs: now, waitingUntilMs: now + 60_000 };
    expect(dueAtMs('security', 'mail', state, now)).toBe(now);
    expect(dueAtMs('withdrawal', 'push', state, now)).toBe(now);
  });

  it('makes at most one message per time of the channel out of a flood', () => {
    const messages = new Set<number>();
    let lastSentMs: number | null = null;
    let waitingUntilMs: number | null = null;
    for (let at = now; at < now + 3_600_000; at += 10_000) {
      if (waitingUntilMs !== null && waitingUntilMs <= at) {
        messages.add(waitingUntilMs);
        lastSentMs = waitingUntilMs;
        waitingUntilMs = null;
      }
      waitingUntilMs = dueAtMs('round-filled', 'mail', { lastSentMs, waitingUntilMs }, at);
    }
    expect(messages.size).toBe(4);
  });
});

it('a digest names the newest and counts the others', () => {
  const alerts = Array.from({ length: DIGEST_LINES_MAX + 3 }, (_, index) => index);
  expect(digestOf(alerts)).toEqual({ shown: alerts.slice(3), further: 3 });
  expect(digestOf([1, 2])).toEqual({ shown: [1, 2], further: 0 });
});

it('without a choice everything is in the bell but golden dogs, and mails say only what closes a follow', () => {
  expect(ALERT_KINDS.filter((kind) => defaultChannels(kind).includes('mail'))).toEqual([
    'follow-stopped',
    'strategy-ended',
  ]);
  expect(ALERT_KINDS.filter((kind) => !defaultChannels(kind).includes('app'))).toEqual(['golden-dog']);
  expect(defaultChannels('follow-stopped')).toEqual([...ALERT_CHANNELS]);
});

it('mails about withdrawals and security are no matter of choice', () => {
  expect(ALERT_KINDS.filter((kind) => !isChosen(kind, 'mail'))).toEqual(['withdrawal', 'security']);
  expect(ALERT_KINDS.every((kind) => isChosen(kind, 'app') && isChosen(kind, 'push'))).toBe(true);
});
