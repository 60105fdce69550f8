import { createHash } from 'node:crypto';
import { addressFromBytes, type Address } from '@hunter/solana/address';
import { SeededRandom } from '@hunter/domain/seeded-random';
import type { MarketToken, MarketTrade } from '../../apps/server/src/market/market-source.ts';

const NAMES = ['Frog', 'Lumen', 'Noodle', 'Bean', 'Comet', 'Pickle', 'Otter', 'Rocket', 'Mango', 'Turnip'];

function addressFor(kind: string, index: number): Address {
  return addressFromBytes(createHash('sha256').update(`${kind} ${index}`).digest());
}

export function tokensForLoad(count: number): MarketToken[] {
  return Array.from({ length: count }, (_, index) => ({
    mint: addressFor('Mint', index),
    name: `${NAMES[index % NAMES.length]} ${NAMES[(index * 7) % NAMES.length]} ${index}`,
    symbol: `${(NAMES[index % NAMES.length] ?? '').toUpperCase()}${index}`,
    decimals: 6,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    logoUrl: null,
    creator: null,
    pool: addressFor('Pool', index),
    supply: 1_000_000_000_000_000n,
    createdAtMs: Date.now() - index * 60_000,
    curveLamports: null,
    curvePool: null,
    graduatedAtMs: null,
    links: null,
  }));
}

/** Trades in chain order: a few tokens are busy, most are quiet, as in a real market. */
export function* tradesForLoad(
  tokens: readonly MarketToken[],
  count: number,
  wallets: number,
  seed = 7,
): Generator<MarketTrade> {
  const random = new SeededRandom(seed);
  const startMs = Date.now() - count * 20;
  for (let index = 0; index < count; index += 1) {
    const token = tokens[Math.floor(random.next() ** 3 * tokens.length)]!;
    const isBuy = random.next() > 0.48;
    const baseUnits = BigInt(1_000_000 + random.whole(90_000_000_000));
    yield {
      mint: token.mint,
      seq: BigInt(440_000_000 + (index >> 6)) * 65_536n + BigInt(index & 63),
      atMs: startMs + index * 20,
      isBuy,
      lamports: BigInt(1_000_000 + random.whole(5_000_000_000)),
      baseUnits,
      arrivedUnits: baseUnits,
      wallet: `Wallet${random.whole(wallets)}`,
      signature: `Signature${index}`,
      walletUnitsAfter: isBuy ? BigInt(1 + random.whole(1e12)) : 0n,
      poolLamportsAfter: 50_000_000_000n,
      poolUnitsAfter: 900_000_000_000n,
      feeLamports: 10_000n,
      solUsdMicro: 150_000_000n,
    };
  }
}

/** One chunk at a time, so that millions of trades need not fit in memory. */
export function* chunksOf<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
