import { address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { loadHoldings } from '../strategies/book-holdings.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import type { WalletCopyRow } from './copy-store.ts';
import type { WalletFollow, WalletFollows } from './wallet-follow.ts';

/** Where a token account keeps its amount, and where that ends. */
const AMOUNT_OFFSET = 64;
const AMOUNT_END = 72;

type Bought = { seq: bigint; mint: string };

/**
 * Copies to be sold because the wallet has none of the token left although it sold none of it last: it was sent away. Once per
 * purchase, so that a sale that fails is not tried without end.
 */
export async function exitTransferred(deps: WalletFollows, follows: readonly WalletFollow[]): Promise<WalletCopyRow[]> {
  const watching = follows.filter(({ settings }) => settings.transfersAreExits && settings.copies !== 'buys');
  const holdings = await loadHoldings(
    deps.database,
    watching.map(({ bookId }) => bookId),
  );
  const rows: WalletCopyRow[] = [];
  for (const follow of watching) {
    const held = [...holdings.get(follow.bookId)!.tokens.keys()];
    if (held.length === 0) continue;
    const bought = await lastBuys(deps, follow.id, held);
    const gone = await withoutBalance(deps, follow, bought);
    for (const { seq, mint } of gone) rows.push(exitOf(deps, follow, seq, mint));
  }
  return rows;
}

/** The last copied purchase of each, where no sale of the wallet came after it. */
async function lastBuys({ database }: WalletFollows, followId: string, mints: readonly string[]): Promise<Bought[]> {
  const rows = await database.query<Bought & { side: string }>(
    `select distinct on (mint) mint, abs(seq) as seq, side from wallet_copy
     where follow_id = $1 and mint = any($2::text[]) order by mint, abs(seq) desc, seq`,
    [followId, mints],
  );
  return rows.filter(({ side }) => side === 'buy');
}

async function withoutBalance(deps: WalletFollows, follow: WalletFollow, bought: readonly Bought[]): Promise<Bought[]> {
  const facts = await deps.tokens.load(bought.map(({ mint }) => mint));
  // Of a token that nobody knows its account is not known either.
  const known = bought.flatMap((row) => {
    const fact = facts.get(row.mint);
    return fact
      ? [{ row, account: associatedTokenAddress(follow.address, address(row.mint), address(fact.tokenProgram)) }]
      : [];
  });
  if (known.length === 0) return [];
  const { value } = await deps.rpc.getMultipleAccounts(known.map(({ account }) => account));
  const suspects = known.filter((_, index) => {
    const data = value[index]?.data;
    // Anybody can send SOL to the address of a token account that is not there: then something is, without an amount.
    return !data || data.length < AMOUNT_END || Buffer.from(data).readBigUInt64LE(AMOUNT_OFFSET) === 0n;
  });
  const gone: Bought[] = [];
  for (const { row } of suspects) if (await hasNone(deps, follow, row.mint)) gone.push(row);
  return gone;
}

/** A wallet may keep tokens in other accounts than the usual one. */
async function hasNone({ rpc }: WalletFollows, { address: owner }: WalletFollow, mint: string): Promise<boolean> {
  const { value } = await rpc.getTokenAccountsByOwner(owner, { mint: address(mint) });
  return value.every(({ amount }) => amount === 0n);
}

/** Its place is the purchase's, negative: the chain has no sale to name. */
function exitOf(deps: WalletFollows, follow: WalletFollow, seq: bigint, mint: string): WalletCopyRow {
  const now = new Date(deps.clock.nowMs());
  return {
    followId: follow.id,
    seq: -seq,
    mint,
    side: 'sell',
    lamports: 0n,
    tokens: 0n,
    signature: '',
    tradedAt: now,
    heldBefore: 0n,
    isFirstBuy: false,
    slot: null,
    state: 'planned',
    reason: null,
    orderId: requestOrderId('wallet-copy', follow.id, String(-seq), mint),
    amountIn: null,
    runUpLamports: 0n,
    costLamports: 0n,
    waitUntil: null,
    seenAt: now,
  };
}
