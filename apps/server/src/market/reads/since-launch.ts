import { printRatio } from '@hunter/domain/numbers/decimal';
import { isLaunchKnown } from '@hunter/domain/market/holder-kind';

/** Beside the creation and the price of a token; `s` is token_stats. */
export const LAUNCH_COLUMNS = `s.first_price_usd as "firstPriceUsd",
  (select (extract(epoch from min(since)) * 1000)::float8 from market_cursor) as "recordedSinceMs"`;

export type LaunchRow = {
  createdAt: Date;
  priceUsd: bigint;
  firstPriceUsd: bigint | null;
  recordedSinceMs: number | null;
};

/** Percent since the first trade, rounded down; null where the launch was not recorded or nothing has traded. */
export function sinceLaunchOf({ createdAt, priceUsd, firstPriceUsd, recordedSinceMs }: LaunchRow): string | null {
  if (firstPriceUsd === null || firstPriceUsd === 0n || priceUsd === 0n) return null;
  if (!isLaunchKnown(createdAt.getTime(), recordedSinceMs)) return null;
  return printRatio((priceUsd - firstPriceUsd) * 100n, firstPriceUsd, 2, 'floor');
}
