import { basisPoints } from '@hunter/domain/numbers/basis-points';
import type { MintFacts } from '@hunter/domain/market/token-safety';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { wasInPast } from '../../platform/clock.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';
import { readExtensions } from './mint-extensions.ts';

export type StoredFacts = Omit<MintFacts, 'ageMs' | 'liquidityLamports' | 'topTenShare' | 'devShare'> & {
  topTenBps: number | undefined;
  devBps: number | undefined;
};

/** Each part that cannot be read stays undefined, which shows as unknown; one failing read does not hide the others. */
export async function readMintFacts(
  rpc: RpcClient,
  sql: Sql,
  token: TokenRow,
): Promise<{ facts: StoredFacts; supply: bigint | undefined }> {
  const [{ supply, ...mint }, topTenBps, devBps] = await Promise.all([
    readMint(rpc, token.mint),
    wasInPast() ? sumTopTen(sql, token) : readTopTen(sql, token),
    readDevShare(rpc, token),
  ]);
  return { facts: { ...mint, topTenBps, devBps }, supply };
}

type MintAccount = Pick<MintFacts, 'mintAuthority' | 'freezeAuthority' | 'extensions'> & { supply: bigint | undefined };

async function readMint(rpc: RpcClient, mint: Address): Promise<MintAccount> {
  const reply = await rpc.getParsedAccountInfo(mint).catch(() => null);
  const parsed = reply?.value?.parsed;
  if (!parsed || parsed.type !== 'mint') {
    return { mintAuthority: undefined, freezeAuthority: undefined, extensions: undefined, supply: undefined };
  }
  return {
    mintAuthority: authority(parsed.info['mintAuthority']),
    freezeAuthority: authority(parsed.info['freezeAuthority']),
    extensions: readExtensions(parsed.info['extensions']),
    supply: wholeNumber(parsed.info['supply']),
  };
}

function wholeNumber(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

function authority(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : undefined;
}

async function readTopTen(sql: Sql, token: TokenRow): Promise<number | undefined> {
  const rows = await sql.query<{ units: bigint | null }>(
    `select top_ten_units as units from token_stats where token_id = $1`,
    [token.id],
  );
  return topTenBps(rows[0]?.units ?? null, token.supply);
}

/** Null while the holders have not been read: those who were seen to trade are not all. */
export function topTenBps(units: bigint | null, supply: bigint): number | undefined {
  return units === null || supply === 0n ? undefined : shareBps(units, supply);
}

/** In a past that is being made holders are not read; those who traded will do. */
async function sumTopTen(sql: Sql, token: TokenRow): Promise<number | undefined> {
  const rows = await sql.query<{ amount: bigint | null; holders: bigint }>(
    `select sum(amount) as amount, count(*) as holders
     from (select amount from holder where token_id = $1 and amount > 0 order by amount desc limit 10) top`,
    [token.id],
  );
  const row = rows[0];
  if (!row || row.holders === 0n || token.supply === 0n) return undefined;
  return shareBps(row.amount ?? 0n, token.supply);
}

async function readDevShare(rpc: RpcClient, token: TokenRow): Promise<number | undefined> {
  if (token.creator === null || token.supply === 0n) return undefined;
  const reply = await rpc.getTokenAccountsByOwner(token.creator as Address, { mint: token.mint }).catch(() => null);
  if (!reply) return undefined;
  return shareBps(
    reply.value.reduce((sum, account) => sum + account.amount, 0n),
    token.supply,
  );
}

function shareBps(part: bigint, whole: bigint): number {
  const share = (part * 10_000n) / whole;
  return Number(share > 10_000n ? 10_000n : share);
}

export function factsOf(
  stored: StoredFacts,
  now: { ageMs: number | undefined; liquidityLamports: bigint | undefined },
): MintFacts {
  const { topTenBps, devBps, ...mint } = stored;
  return {
    ...mint,
    topTenShare: topTenBps === undefined ? undefined : basisPoints(BigInt(topTenBps)),
    devShare: devBps === undefined ? undefined : basisPoints(BigInt(devBps)),
    ...now,
  };
}
