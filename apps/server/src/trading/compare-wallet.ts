import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { isAssociatedAccount } from '@hunter/solana/token-account';
import { SOL, type Asset } from '../ledger/journal.ts';
import { loadWalletAmounts } from '../ledger/wallet-balance.ts';
import type { Wallet } from '../ledger/wallets.ts';
import type { Sql } from '../platform/postgres.ts';
import { hasOpenTransaction } from '../sending/transaction-store.ts';
import { OPEN_ORDER_STATES } from './order.ts';

/** Finality takes seconds; what takes longer must not hide the difference it makes. */
const FINAL_WITHIN = '10 minutes';

export type ComparedWallet = Pick<Wallet, 'walletId' | 'userId' | 'address'>;

export type ComparisonDeps = {
  sql: Sql;
  rpc: Pick<RpcClient, 'getBalance' | 'getTokenAccountsByOwner'>;
  /** Wallets with a transfer on its way, from them or to them. */
  inTransfer?: ((sql: Sql) => Promise<ReadonlySet<string>>) | undefined;
};

/** Of one asset; those that are nowhere are left out, but for SOL. */
export type ComparedAsset = { asset: Asset; books: bigint; chain: bigint };

/**
 * Books and chain of one wallet, at a moment when it stands still; null while something is on its way on chain, or the books changed
 * while the chain was read.
 */
export async function compareWallet(
  deps: ComparisonDeps,
  wallet: ComparedWallet,
): Promise<{ assets: ComparedAsset[]; slot: bigint } | null> {
  const before = await loadStill(deps, wallet);
  if (before === null) return null;
  const chain = await chainBalances(deps.rpc, wallet.address);
  const after = await loadStill(deps, wallet);
  if (after === null || !equal(before, after)) return null;
  const assets = [...new Set([...before.keys(), ...chain.amounts.keys(), SOL])].map((asset) => ({
    asset,
    books: before.get(asset) ?? 0n,
    chain: chain.amounts.get(asset) ?? 0n,
  }));
  return { assets, slot: chain.slot };
}

/** Amounts per asset over all books of a wallet, set aside or not; null while something is on its way on chain. */
async function loadStill(
  { sql, inTransfer }: ComparisonDeps,
  { walletId, userId, address }: ComparedWallet,
): Promise<Map<Asset, bigint> | null> {
  const rows = await loadWalletAmounts(sql, walletId);
  const moving = await sql.query(
    `select 1 from trade_order where user_id = $1 and wallet_id = $2
       and ((state = 'confirmed' and settled_at > now() - interval '${FINAL_WITHIN}') or state in ${OPEN_ORDER_STATES})
     union all select 1 from wallet_movement where wallet_id = $2 and status = 'seen' limit 1`,
    [userId, walletId],
  );
  if (moving.length > 0 || (await hasOpenTransaction(sql, ['closing', 'withdrawal'], address))) return null;
  if ((await inTransfer?.(sql))?.has(walletId)) return null;
  return new Map(rows.filter((row) => row.amount > 0n).map((row) => [row.asset, row.amount]));
}

async function chainBalances(
  rpc: ComparisonDeps['rpc'],
  address: Address,
): Promise<{ amounts: Map<Asset, bigint>; slot: bigint }> {
  const [sol, plain, extended] = await Promise.all([
    rpc.getBalance(address, 'finalized'),
    rpc.getTokenAccountsByOwner(address, { programId: TOKEN_PROGRAM }, 'finalized'),
    rpc.getTokenAccountsByOwner(address, { programId: TOKEN_2022_PROGRAM }, 'finalized'),
  ]);
  const amounts = new Map<Asset, bigint>([[SOL, sol.value]]);
  for (const account of [...plain.value, ...extended.value]) {
    const { address: of, mint, tokenProgram } = account;
    // What a stranger handed over in an account of his own making is not counted; see `isAssociatedAccount`.
    if (!isAssociatedAccount(of, address, mint, tokenProgram)) continue;
    if (account.amount > 0n) amounts.set(account.mint, (amounts.get(account.mint) ?? 0n) + account.amount);
  }
  return { amounts, slot: sol.contextSlot };
}

function equal(left: Map<Asset, bigint>, right: Map<Asset, bigint>): boolean {
  return left.size === right.size && [...left].every(([key, value]) => right.get(key) === value);
}
