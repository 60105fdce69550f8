export const hotPeriods = ['5m', '1h', '4h', '24h'] as const;
export type HotPeriod = (typeof hotPeriods)[number];

const STORAGE_KEY = 'hotList.period';

export function readPeriod(storage: Pick<Storage, 'getItem'>): HotPeriod {
  const stored = storage.getItem(STORAGE_KEY);
  return hotPeriods.find((period) => period === stored) ?? '1h';
}

export function writePeriod(storage: Pick<Storage, 'setItem'>, period: HotPeriod): void {
  storage.setItem(STORAGE_KEY, period);
}
