// Weights as they are typed: percent points with at most two decimals, counted in hundredths of a point.
export type Coin = {
  tokenContractAddress: string;
  tokenSymbol: string;
  tokenLogoUrl: string;
  weight: string;
};

export const COINS_MAX = 20;
const WHOLE = 10_000;

type WeightsProblem = { kind: 'over'; percent: string } | { kind: 'positive' };

/** Null for text that is no weight. */
export function hundredths(text: string): number | null {
  const match = /^(\d{1,3})(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

export function printWeight(value: number): string {
  return (value / 100).toFixed(2).replace(/\.?0+$/, '');
}

function weightSum(coins: readonly { weight: string }[]): number {
  return coins.reduce((sum, coin) => sum + (hundredths(coin.weight) ?? 0), 0);
}

export function weightsProblem(coins: readonly { weight: string }[]): WeightsProblem | null {
  const sum = weightSum(coins);
  if (sum > WHOLE) return { kind: 'over', percent: printWeight(sum) };
  return coins.some((coin) => !((hundredths(coin.weight) ?? 0) > 0)) ? { kind: 'positive' } : null;
}

/** What stays SOL, in percent; never below nothing. */
export function restPercent(coins: readonly { weight: string }[]): string {
  return printWeight(Math.max(0, WHOLE - weightSum(coins)));
}

/** Shares as equal as hundredths allow, adding up to exactly 100; the first coins take what is left over. */
export function equalize(coins: readonly Coin[]): Coin[] {
  if (coins.length === 0) return [];
  const each = Math.floor(WHOLE / coins.length);
  const over = WHOLE - each * coins.length;
  return coins.map((coin, at) => ({ ...coin, weight: printWeight(each + (at < over ? 1 : 0)) }));
}

/** A coin that is added takes what is free, at most a quarter. */
export function addCoin(coins: readonly Coin[], coin: Omit<Coin, 'weight'>): Coin[] {
  if (coins.length >= COINS_MAX || coins.some((each) => each.tokenContractAddress === coin.tokenContractAddress)) {
    return [...coins];
  }
  const free = Math.max(0, WHOLE - weightSum(coins));
  return [...coins, { ...coin, weight: printWeight(Math.min(2_500, free)) }];
}

export function targetCoins(coins: readonly Coin[]): { tokenContractAddress: string; weight: string }[] {
  return coins.map(({ tokenContractAddress, weight }) => ({
    tokenContractAddress,
    weight: printWeight(hundredths(weight) ?? 0),
  }));
}
