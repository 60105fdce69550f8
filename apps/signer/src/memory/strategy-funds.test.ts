import { describe, expect, it } from 'vitest';
import { type FundsRecord, StrategyFunds } from './strategy-funds.ts';

const FINAL_MS = 20_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const START = 1_700_000_000_000;

const commit = (sig: string, lamports: number, at = START): FundsRecord & { t: 'cmt' } => ({
  t: 'cmt',
  s: 'strategy',
  p: 'person',
  sig,
  dig: `digest of ${sig}`,
  lamports: String(lamports),
  at,
});
const final = (sig: string, at = START): FundsRecord => ({ t: 'fin', sig, at });
const returned = (dig: string, lamports: number, at = START): FundsRecord => ({
  t: 'ret',
  s: 'strategy',
  dig,
  at,
  legs: [{ p: 'person', what: `sol ${lamports}`, lamports: String(lamports), over: '2', word: '3', replaces: false }],
});
const bought = (dig: string, lamports: number, tokens: number, at = START): FundsRecord => ({
  t: 'buy',
  s: 'strategy',
  dig,
  m: 'mint',
  lamports: String(lamports),
  tokens: String(tokens),
  at,
});
const held = (what: string, at = START): FundsRecord => ({
  t: 'hld',
  s: 'strategy',
  holds: [{ to: 'person', what, lamports: null, at }],
});

function fundsOf(...records: FundsRecord[]): StrategyFunds {
  const funds = new StrategyFunds(FINAL_MS);
  for (const record of records) funds.apply(record);
  return funds;
}

/** As after a restart on a compacted log. */
const reread = (funds: StrategyFunds, now: number): StrategyFunds => fundsOf(...funds.records(now));

describe('the money of strategy wallets', () => {
  it('is nothing for a wallet that nobody has heard of', () => {
    const funds = fundsOf();
    expect(funds.pair('strategy', 'person')).toBeNull();
    expect(funds.hasOthers('strategy', 'person')).toBe(false);
    expect(funds.committedLamports('strategy', START)).toBe(0n);
    expect(funds.investedLamports('strategy', START)).toBe(0n);
    expect(funds.boughtLamports('strategy', START)).toBe(0n);
    expect(funds.overLamports('strategy', START)).toBe(0n);
    expect(funds.wordLamports('strategy', START)).toBe(0n);
    expect(funds.tokenValue('strategy', 'mint', 5n)).toBeNull();
    expect(funds.heldSince('strategy', 'person', 'sol 1')).toBeNull();
    expect([funds.isBuyKnown('strategy', 'd'), funds.isCommitKnown('strategy', 'person', 'd')]).toEqual([false, false]);
  });

  it('counts a commit from the later of its finality and its delay', () => {
    const funds = fundsOf(commit('a', 10), commit('b', 20), commit('c', 40));
    expect(funds.unfinished(['a', 'b', 'nobody'])).toEqual(['a', 'b']);
    funds.apply(final('a', START + 1_000));
    funds.apply(final('a', START + HOUR_MS));
    funds.apply(final('b', START + 30_000));
    funds.apply(final('nobody'));
    expect(funds.unfinished(['a', 'b', 'c'])).toEqual(['c']);
    const at = (afterMs: number): bigint => funds.committedLamports('strategy', START + afterMs);
    expect([at(FINAL_MS - 1), at(FINAL_MS), at(29_999), at(30_000), at(DAY_MS)]).toEqual([0n, 10n, 10n, 30n, 30n]);
    expect(funds.pair('strategy', 'person')).toMatchObject({
      commits: [
        { lamports: 0n },
        { lamports: 10n, signedAt: START, countsFrom: START + FINAL_MS },
        { lamports: 20n, countsFrom: START + 30_000 },
        { lamports: 40n, countsFrom: Infinity },
      ],
    });
    expect(funds.isCommitKnown('strategy', 'person', 'digest of b')).toBe(true);
  });

  it('invests commits before they are final for an hour, and never less than nothing per person', () => {
    const funds = fundsOf(commit('a', 10), commit('b', 20), final('a'), { ...commit('c', 5), p: 'other' }, final('c'));
    expect(funds.investedLamports('strategy', START + HOUR_MS - 1)).toBe(35n);
    expect(funds.investedLamports('strategy', START + HOUR_MS)).toBe(15n);
    funds.apply(returned('r', 12));
    expect(funds.investedLamports('strategy', START + HOUR_MS)).toBe(5n);
  });

  it('values tokens at the dearest buy, rounded up', () => {
    const funds = fundsOf(bought('a', 10, 3), bought('b', 1, 1_000), bought('c', 10, 4));
    expect(funds.tokenValue('strategy', 'mint', 3n)).toBe(10n);
    expect(funds.tokenValue('strategy', 'mint', 1n)).toBe(4n);
    funds.apply(bought('d', 8, 2));
    expect(funds.tokenValue('strategy', 'mint', 3n)).toBe(12n);
    expect(funds.tokenValue('strategy', 'other mint', 3n)).toBeNull();
  });

  it('sums 24 hours of buys and of returns beyond the ordinary', () => {
    const funds = fundsOf(bought('a', 10, 1), bought('b', 20, 1, START + HOUR_MS), returned('r', 1), returned('q', 1));
    expect(funds.boughtLamports('strategy', START + HOUR_MS)).toBe(30n);
    expect(funds.boughtLamports('strategy', START + DAY_MS)).toBe(20n);
    expect(funds.overLamports('strategy', START + DAY_MS - 1)).toBe(4n);
    expect(funds.overLamports('strategy', START + DAY_MS)).toBe(0n);
    expect(funds.wordLamports('strategy', START + DAY_MS - 1)).toBe(6n);
    expect([funds.isBuyKnown('strategy', 'a'), funds.isBuyKnown('strategy', 'z')]).toEqual([true, false]);
  });

  it('knows a return by any of its receivers', () => {
    const funds = fundsOf(returned('r', 1));
    const legs = [
      { to: 'somebody', what: 'sol 1', lamports: 1n },
      { to: 'person', what: 'sol 1', lamports: 1n },
    ];
    expect(funds.isReturnKnown('strategy', legs, 'r')).toBe(true);
    expect(funds.isReturnKnown('strategy', legs, 'q')).toBe(false);
  });
});

describe('a snapshot of the money of strategy wallets', () => {
  it('says the same as all the events before it', () => {
    const events = [commit('a', 10), final('a'), commit('b', 5), returned('r', 7), bought('d', 9, 2), held('sol 1')];
    const funds = fundsOf(...events);
    const again = reread(funds, START + HOUR_MS);
    expect([...again.records(START + HOUR_MS)]).toEqual([...funds.records(START + HOUR_MS)]);
    expect(again.pair('strategy', 'person')).toEqual(funds.pair('strategy', 'person'));
    expect(again.tokenValue('strategy', 'mint', 2n)).toBe(9n);
    expect(again.heldReturns()).toEqual(funds.heldReturns());
    again.apply(final('b', START + HOUR_MS));
    expect(again.committedLamports('strategy', START + HOUR_MS)).toBe(15n);
  });

  it('keeps sums and forgets what can no longer matter', () => {
    const later = START + 31 * DAY_MS;
    const events = [
      commit('a', 10),
      final('a'),
      commit('dropped', 5),
      returned('r', 7),
      bought('d', 9, 2),
      held('sol 1'),
    ];
    const recent = [commit('c', 100, later), final('c', later), returned('q', 3, later), held('sol 2', later)];
    const again = reread(fundsOf(...events, ...recent), later);
    const text = JSON.stringify([...again.records(later)]);
    for (const gone of ['"a"', '"dropped"', '"r"', '"d"', '"sol 1"']) expect(text).not.toContain(gone);
    for (const kept of ['"c"', '"q"', '"sol 2"']) expect(text).toContain(kept);
    expect(again.committedLamports('strategy', later + FINAL_MS)).toBe(110n);
    expect(again.pair('strategy', 'person')?.returnedLamports).toBe(10n);
    expect(again.tokenValue('strategy', 'mint', 2n)).toBe(9n);
    expect(again.unfinished(['dropped'])).toEqual([]);
  });

  it('keeps each thing for exactly as long as it may be asked for', () => {
    const week = 7 * DAY_MS;
    const has = (record: FundsRecord, name: string, afterMs: number): boolean =>
      JSON.stringify([...fundsOf(commit('a', 1), record).records(START + afterMs)]).includes(name);
    expect([has(returned('r', 7), '"r"', week - 1), has(returned('r', 7), '"r"', week)]).toEqual([true, false]);
    expect([has(held('sol 1'), 'sol 1', week), has(held('sol 1'), 'sol 1', week + 1)]).toEqual([true, false]);
    expect([has(bought('d', 1, 1), '"d"', DAY_MS - 1), has(bought('d', 1, 1), '"d"', DAY_MS)]).toEqual([true, false]);
    const settled = final('a', START + FINAL_MS);
    expect([has(settled, '"sig"', week + FINAL_MS - 1), has(settled, '"sig"', week + FINAL_MS)]).toEqual([true, false]);
    const nothing = held('sol 9', START + 40 * DAY_MS);
    expect([has(nothing, '"sig"', 30 * DAY_MS - 1), has(nothing, '"sig"', 30 * DAY_MS)]).toEqual([true, false]);
  });
});
