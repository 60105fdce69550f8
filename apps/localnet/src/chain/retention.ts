// How much of the past stays on disk. Accounts are always kept whole; only transactions are forgotten, oldest first, as
// every node of a real cluster does.

export type Retention = {
  /** What the history database may grow to; null keeps everything. */
  bytesMax: number | null;
  /** However large they are, this many of the newest slots stay. */
  slotsMin: number;
};

const GIGABYTE = 1_000_000_000;
/** About seven weeks of the default market. */
export const HISTORY_GB = 20;
const HOUR_SLOTS = 9_000;

/** Zero keeps everything. */
export function retentionOf(gigabytes: number): Retention {
  return { bytesMax: gigabytes === 0 ? null : gigabytes * GIGABYTE, slotsMin: HOUR_SLOTS };
}
