import { expect, it } from 'vitest';
import {
  bundledOf,
  freshSinceMs,
  isLaunchKnown,
  isLaunchSlotBuy,
  isSniperBuy,
  isWalletAgeKnown,
} from './holder-kind.ts';

const LAUNCH = 1_000_000;
const DAY = 24 * 3_600_000;

it('calls a buy in the first five seconds a sniper’s, the fifth included', () => {
  expect(isSniperBuy({ atMs: LAUNCH, launchedAtMs: LAUNCH })).toBe(true);
  expect(isSniperBuy({ atMs: LAUNCH + 5_000, launchedAtMs: LAUNCH })).toBe(true);
  expect(isSniperBuy({ atMs: LAUNCH + 5_001, launchedAtMs: LAUNCH })).toBe(false);
});

it('counts buyers of the slot of the first trade, where that came within five seconds', () => {
  const buy = { slot: 7n, firstSlot: 7n, firstAtMs: LAUNCH + 1_000, launchedAtMs: LAUNCH };
  expect(isLaunchSlotBuy(buy)).toBe(true);
  expect(isLaunchSlotBuy({ ...buy, slot: 8n })).toBe(false);
  expect(isLaunchSlotBuy({ ...buy, firstAtMs: LAUNCH + 6_000 })).toBe(false);
});

it('calls them bundlers from four wallets on', () => {
  expect(bundledOf({ wallets: 4, units: 9n })).toEqual({ wallets: 4, units: 9n });
  expect(bundledOf({ wallets: 3, units: 9n })).toEqual({ wallets: 0, units: 0n });
});

it('calls a wallet fresh for a day after its first trade', () => {
  expect(freshSinceMs(LAUNCH + DAY)).toBe(LAUNCH);
});

it('knows a launch only where trades were recorded before it, and ages of wallets after a day of record', () => {
  expect(isLaunchKnown(LAUNCH, LAUNCH)).toBe(true);
  expect(isLaunchKnown(LAUNCH, LAUNCH + 1)).toBe(false);
  expect(isLaunchKnown(LAUNCH, null)).toBe(false);
  expect(isWalletAgeKnown(LAUNCH + DAY, LAUNCH)).toBe(true);
  expect(isWalletAgeKnown(LAUNCH + DAY - 1, LAUNCH)).toBe(false);
  expect(isWalletAgeKnown(LAUNCH, null)).toBe(false);
});
