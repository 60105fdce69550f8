/** Letters of other scripts, and digits, that pass for a Latin letter at a glance. Accents and wide forms fall away before. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '8': 'b',
  $: 's',
  '|': 'l',
  '!': 'l',
  '@': 'a',
  i: 'l',
  ı: 'l',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'b',
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  н: 'h',
  і: 'l',
  ј: 'j',
  к: 'k',
  ӏ: 'l',
  м: 'm',
  п: 'n',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  у: 'y',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  з: 'e',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'l',
  κ: 'k',
  μ: 'u',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  γ: 'y',
  ζ: 'z',
  ω: 'w',
  ո: 'n',
  օ: 'o',
  ս: 'u',
};

/** Capitals that look like another Latin letter than their small form does, so they must be read before lower-casing. */
const CAPITALS: Readonly<Record<string, string>> = {
  Η: 'h',
  Ν: 'n',
  Ρ: 'p',
  Χ: 'x',
  Υ: 'y',
  Μ: 'm',
  Ζ: 'z',
  В: 'b',
  Н: 'h',
  Р: 'p',
  С: 'c',
  У: 'y',
  Х: 'x',
};

/** Whole alphabets that pass for Latin capitals: Latin small capitals, Lisu, Cherokee. Each pair is a letter and what it looks like. */
const ALPHABETS = [
  'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪlᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzɑa',
  'ꓮaꓐbꓚcꓓdꓰeꓝfꓖgꓧhꓲlꓙjꓗkꓡlꓟmꓠnꓳoꓑpꓣrꓢsꓔtꓴuꓦvꓪwꓫxꓬyꓜz',
  'ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᎥlᎫjᏦkᏞlᎷmᏢpᏒrᏚsᎢtᏙvᎳwᏃz',
].join('');
const OTHER_ALPHABETS = new Map(Array.from(ALPHABETS.matchAll(/(.)(.)/gu), ([, letter, latin]) => [letter!, latin!]));

/** Two texts with the same result look alike. */
export function foldConfusables(text: string): string {
  let folded = '';
  for (const character of text.normalize('NFKD').replace(/[\p{M}\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0._-]/gu, '')) {
    const capital = CAPITALS[character] ?? OTHER_ALPHABETS.get(character);
    if (capital !== undefined) folded += capital;
    else for (const small of character.toLowerCase()) folded += LOOKS_LIKE[small] ?? small;
  }
  return folded.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

export type KnownToken = { readonly symbol: string; readonly mint: string | null };

/** Names worth pretending to be, with the one mint that may carry each; null where no Solana mint does. */
export const WELL_KNOWN_TOKENS: readonly KnownToken[] = [
  { symbol: 'SOL', mint: 'So11111111111111111111111111111111111111112' },
  { symbol: 'USDC', mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
  { symbol: 'USDT', mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' },
  { symbol: 'BONK', mint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' },
  { symbol: 'WIF', mint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm' },
  { symbol: 'JUP', mint: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' },
  { symbol: 'RAY', mint: '4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R' },
  { symbol: 'PYTH', mint: 'HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3' },
  { symbol: 'POPCAT', mint: '7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr' },
  { symbol: 'TRUMP', mint: '6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN' },
  { symbol: 'BTC', mint: null },
  { symbol: 'ETH', mint: null },
];

/** The well-known symbol that a token's symbol passes for, or null. */
export function lookAlikeOf(
  symbol: string,
  mint: string,
  known: readonly KnownToken[] = WELL_KNOWN_TOKENS,
): string | null {
  const folded = foldConfusables(symbol);
  const match = known.find((token) => foldConfusables(token.symbol) === folded);
  return match === undefined || match.mint === mint ? null : match.symbol;
}
