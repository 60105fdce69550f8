import type { CallReply } from '@hunter/contract/calls';

/** What the market page needs beside the columns of every list; `t` is token, `s` is token_stats. */
export const DISCOVERED_COLUMNS = `t.curve_lamports as "curveLamports", t.graduated_at as "graduatedAt", t.links,
  s.pool_lamports as "poolLamports", s.first_price_usd as "firstPriceUsd", s.fees_lamports as "feesLamports",
  s.top_ten_units as "topTenUnits", s.creator_units as "creatorUnits", s.sniper_wallets as "sniperWallets",
  s.sniper_units as "sniperUnits", s.launch_slot_wallets as "launchSlotWallets", s.launch_slot_units as "launchSlotUnits",
  s.insider_wallets as "insiderWallets", s.insider_units as "insiderUnits", s.fresh_wallets as "freshWallets",
  s.fresh_units as "freshUnits", s.proven_traders as "provenTraders",
  (select (extract(epoch from min(since)) * 1000)::float8 from market_cursor) as "recordedSinceMs"`;

/** Null is what is not known. */
export type Discovered = {
  curveLamports: bigint | null;
  graduatedAt: Date | null;
  links: CallReply<'getTokenDiscover'>['lists'][number]['links'];
  poolLamports: bigint;
  firstPriceUsd: bigint | null;
  feesLamports: bigint | null;
  topTenUnits: bigint | null;
  creatorUnits: bigint | null;
  sniperWallets: number | null;
  sniperUnits: bigint | null;
  launchSlotWallets: number | null;
  launchSlotUnits: bigint | null;
  insiderWallets: number | null;
  insiderUnits: bigint | null;
  freshWallets: number | null;
  freshUnits: bigint | null;
  provenTraders: number | null;
  recordedSinceMs: number | null;
};
