import { describe, expect, it } from 'vitest';
import { playHonestCreators } from './honest-creators.ts';
import { playMoneyAttacks } from './play-all.ts';
import { cheapestFirstRank, copiedNames, ordersBeforeAnExit, playRecordAttacks } from './record-attacks.ts';

// The short form of `npm run proof -- creator-attacks`.

/** What the proof finds above its bar: everybody sells at one price, and those who joined last lifted it. */
const KNOWN_ABOVE = ['strategy sells right after one joined'];

describe('a creator who wants the money of his followers', () => {
  it('gains no more than the bar of each attack', () => {
    const rows = playMoneyAttacks({
      seeds: ['1'],
      pools: [300n],
      lifts: [40],
      shares: [30n],
      lively: [false],
      rankStep: 40,
      honestHours: 1,
    });
    expect(rows.filter(({ isKept }) => !isKept).map(({ name }) => name)).toEqual(
      KNOWN_ABOVE.filter((name) => rows.some((row) => row.name === name && !row.isKept)),
    );
    expect(rows.length).toBeGreaterThan(18);
    // An attack that nobody can lose by would prove nothing.
    expect(rows.some(({ lossLamports }) => lossLamports > 2_000_000_000n)).toBe(true);
  });

  it('forges no record, and pays more than 10 SOL for the first rank', () => {
    expect(playRecordAttacks().filter(({ gained }) => gained > 0)).toEqual([]);
    const { sol } = cheapestFirstRank(40);
    expect(sol).toBeGreaterThan(10);
    expect(sol).toBeLessThan(Infinity);
  });

  it('takes no name that looks like another, and keeps nobody from leaving', async () => {
    expect(copiedNames()).toBe(0);
    expect(await ordersBeforeAnExit()).toBe(1);
  });
});

describe('followers of creators who only trade', () => {
  it('take part in most of what is bought in the first half hour', () => {
    const { takingPart, copies } = playHonestCreators('1', 0.5, 4);
    expect(copies).toBeGreaterThan(5);
    expect(takingPart).toBeGreaterThan(0.9);
  });
});
