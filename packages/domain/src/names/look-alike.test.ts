import { describe, expect, it } from 'vitest';
import { foldConfusables, lookAlikeOf, WELL_KNOWN_TOKENS } from './look-alike.ts';

describe('a look-alike', () => {
  it.each([
    ['USDC', 'USDC'],
    ['usdc', 'USDC'],
    ['U5DC', 'USDC'],
    ['USDС', 'USDC'],
    ['ＵＳＤＣ', 'USDC'],
    ['US\u200bDC', 'USDC'],
    ['ÜSDC', 'USDC'],
    ['$OL', 'SOL'],
    ['S0L', 'SOL'],
    ['ЅОL', 'SOL'],
    ['ΒΟΝΚ', 'BONK'],
    ['W1F', 'WIF'],
    ['ＢＴＣ', 'BTC'],
    ['ꜱᴏʟ', 'SOL'],
    ['ꓢꓳꓡ', 'SOL'],
    ['ᏴꓳꓠᏦ', 'BONK'],
  ])('%j passes for %s', (symbol, known) => {
    expect(lookAlikeOf(symbol, 'another-mint')).toBe(known);
  });

  it('is not the token itself, nor a name of its own', () => {
    for (const { symbol, mint } of WELL_KNOWN_TOKENS) if (mint !== null) expect(lookAlikeOf(symbol, mint)).toBeNull();
    for (const symbol of ['FWOG', 'SOLAMA', 'USD', '狗', '']) expect(lookAlikeOf(symbol, 'another-mint')).toBeNull();
  });

  it('folds pairs of letters that run together, wherever they stand', () => {
    expect(foldConfusables('TRUrnP')).toBe('trump');
    expect(foldConfusables('VVIF')).toBe('wlf');
    expect(foldConfusables('rnarnvvavv')).toBe('mamwaw');
  });

  it.each([
    ['0134 58$|!@', 'oleasbslla'],
    ['iıøłđß', 'lloldb'],
    ['авсԁеёһніјкӏмпорԛгѕтуѵԝхз', 'abcdeehhljklmnopqrstyvwxe'],
    ['αβεηικμνορτυχγζω', 'abenlkuvoptuxyzw'],
    ['ոօս', 'nou'],
    ['ΗΝΡΧΥΜΖ', 'hnpxymz'],
    ['ВНРСУХ', 'bhpcyx'],
    ['Σigma', 'σlgma'],
    ['a.b_c-d e\u115f\u1160\u2800\u3164\uffa0f', 'abcdef'],
  ])('reads %j as %j', (text, folded) => {
    expect(foldConfusables(text)).toBe(folded);
  });

  it('is told by the known tokens it is asked about', () => {
    const known = [{ symbol: 'ABC', mint: 'mine' }];
    expect(lookAlikeOf('4bc', 'other', known)).toBe('ABC');
    expect(lookAlikeOf('4bc', 'mine', known)).toBeNull();
    expect(lookAlikeOf('USDC', 'other', known)).toBeNull();
  });
});
