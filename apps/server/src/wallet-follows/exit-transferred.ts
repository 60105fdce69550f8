import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { loadOnce } from '../platform/load-once.ts';
import { loadHoldings } from '../strategies/book-holdings.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import type { WalletCopyRow } from './copy-store.ts';
import type { WalletFollow, WalletFollows } from './wallet-follow.ts';

/** Where a token account keeps its amount, and where that ends. */
const AMOUNT_OFFSET = 64;
const AMOUNT_END = 72;

type Bought = { follow: WalletFollow; seq: bigint; mint: Address };

/**
 * Copies to be sold because the wallet has none of the token left although it sold none of it last: it was sent away. Once per
 * purchase, so that a sale that fails is not tried without end. All follows are asked about together: copying waits for it.
 */
export async function exitTransferred(deps: WalletFollows, follows: readonly WalletFollow[]): Promise<WalletCopyRow[]> {
  const watching = follows.filter(({ settings }) => settings.transfersAreExits && settings.copies !== 'buys');
  const bought = await loadLastBuys(deps, watching);
  const gone = await withoutBalance(deps, bought);
  return gone.map(({ follow, seq, mint }) => exitOf(deps, follow, seq, mint));
}

/** The last copied purchase of each token that a follow holds, where no sale that was worth copying came after it. */
async function loadLastBuys({ database }: WalletFollows, follows: readonly WalletFollow[]): Promise<Bought[]> {
  const bookIds = follows.map(({ bookId }) => bookId);
  const holdings = await loadHoldings(database, bookIds);
  const byId = new Map(follows.map((follow) => [follow.id, follow]));
  const held = follows.flatMap(({ id, bookId }) => [...holdings.get(bookId)!.tokens.keys()].map((mint) => [id, mint]));
  const rows = await database.query<{ followId: string; seq: bigint; mint: Address; side: string }>(
    `select distinct on (c.follow_id, c.mint) c.follow_id as "followId", c.mint, abs(c.seq) as seq, c.side
     from unnest($1::uuid[], $2::text[]) k (follow_id, mint) join wallet_copy c using (follow_id, mint)
     where c.reason is distinct from 'sold-later'
     order by c.follow_id, c.mint, abs(c.seq) desc, c.seq`,
    [held.map(([id]) => id), held.map(([, mint]) => mint)],
  );
  return rows.flatMap(({ followId, seq, mint, side }) =>
    side === 'buy' ? [{ follow: byId.get(followId)!, seq, mint }] : [],
  );
}

async function withoutBalance(deps: WalletFollows, bought: readonly Bought[]): Promise<Bought[]> {
  const facts = await deps.tokens.load([...new Set(bought.map(({ mint }) => mint))]);
  // Of a token that nobody knows its account is not known either.
  const known = bought.flatMap((row) => {
    const fact = facts.get(row.mint);
    return fact ? [{ row, account: associatedTokenAddress(row.follow.address, row.mint, fact.tokenProgram) }] : [];
  });
  const accounts = [...new Set(known.map(({ account }) => account))];
  if (accounts.length === 0) return [];
  const { value } = await deps.rpc.getMultipleAccounts(accounts);
  const suspected = new Set(
    accounts.filter((_, index) => {
      const data = value[index]?.data;
      // Anybody can send SOL to the address of a token account that is not there: then something is, without an amount.
      return !data || data.length < AMOUNT_END || Buffer.from(data).readBigUInt64LE(AMOUNT_OFFSET) === 0n;
    }),
  );
  const answers = new Map<string, Promise<boolean>>();
  const gone: Bought[] = [];
  for (const { row, account } of known) {
    if (!suspected.has(account)) continue;
    if (await loadOnce(answers, account, () => hasNone(deps, row))) gone.push(row);
  }
  return gone;
}

/** A wallet may keep tokens in other accounts than the usual one. */
async function hasNone({ rpc }: WalletFollows, { follow, mint }: Bought): Promise<boolean> {
  const { value } = await rpc.getTokenAccountsByOwner(follow.address, { mint });
  return value.every(({ amount }) => amount === 0n);
}

/** Its place is the purchase's, negative: the chain has no sale to name. */
function exitOf(deps: WalletFollows, follow: WalletFollow, seq: bigint, mint: Address): WalletCopyRow {
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
