import { AppError } from '@hunter/contract/app-error';
import type { MintExtension } from '@hunter/domain/market/token-safety';
import { readDecimal } from '@hunter/domain/numbers/decimal';
import { lamports, printSol, SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { isTokenAccount } from '@hunter/solana/token-account';
import { SOL } from '../ledger/journal.ts';
import { ACCOUNT_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { loadPersonalWallet, loadWalletByAddress } from '../ledger/wallets.ts';
import { readExtensions } from '../market/safety/mint-extensions.ts';
import { accountRent } from '../trading/order-limits.ts';
import { decideDestination } from './withdrawal-destination.ts';
import type { WithdrawalDeps } from './withdrawal-deps.ts';
import { WITHDRAWAL_FEE_LAMPORTS } from './withdrawal-rules.ts';
import type { WithdrawalIntent } from './withdrawal-store.ts';

/** `amount` in SOL or tokens, as typed. */
export type WantedWithdrawal = { toWallet: Address; amount: string; tokenContractAddress?: Address | undefined };

export type PreparedWithdrawal = WithdrawalIntent & { keepsTransferFee: boolean };

/**
 * Reads from the chain what a withdrawal needs to know. Throws INVALID_INPUT, WITHDRAWAL_OWN_WALLET, WITHDRAWAL_DESTINATION,
 * WITHDRAWAL_TOKEN, AMOUNT_TOO_SMALL or UNAVAILABLE.
 */
export async function prepareWithdrawal(
  deps: Pick<WithdrawalDeps, 'database' | 'rpc' | 'isPool'>,
  userId: string,
  wanted: WantedWithdrawal,
): Promise<PreparedWithdrawal> {
  const { toWallet, tokenContractAddress: mint } = wanted;
  const { address } = await loadPersonalWallet(deps.database, userId);
  if (address === toWallet) throw new AppError('WITHDRAWAL_OWN_WALLET');
  const known = await loadWalletByAddress(deps.database, toWallet);
  if (known?.kind === 'strategy') {
    throw new AppError('WITHDRAWAL_DESTINATION', { field: 'toWallet', reason: 'strategy-wallet' });
  }
  if (await deps.isPool(toWallet)) throw new AppError('WITHDRAWAL_DESTINATION', { field: 'toWallet', reason: 'pool' });
  const { value: account } = await reading(deps.rpc.getAccountInfo(toWallet));
  const reason = decideDestination(toWallet, account);
  if (reason) throw new AppError('WITHDRAWAL_DESTINATION', { field: 'toWallet', reason });
  const base = { toAddress: toWallet, feeLamports: WITHDRAWAL_FEE_LAMPORTS };
  if (mint === undefined) {
    const amount = readAmount(wanted.amount, SOL_DECIMALS);
    // The network refuses to open an account with less than it must hold.
    if (account === null && amount < ACCOUNT_MINIMUM_LAMPORTS) {
      throw new AppError('AMOUNT_TOO_SMALL', { minimum: `${printSol(ACCOUNT_MINIMUM_LAMPORTS)} SOL` });
    }
    const sol = { asset: SOL, decimals: SOL_DECIMALS, tokenProgram: null, rentLamports: lamports(0n) };
    return { ...base, ...sol, amount, keepsTransferFee: false };
  }
  const token = await readToken(deps.rpc, mint);
  const target = associatedTokenAddress(toWallet, token.mint, token.tokenProgram);
  const { value: targetAccount } = await reading(deps.rpc.getAccountInfo(target));
  const rentLamports = lamports(isTokenAccount(targetAccount) ? 0n : accountRent(token));
  const { decimals, tokenProgram, keepsTransferFee } = token;
  const amount = readAmount(wanted.amount, decimals);
  return { ...base, asset: token.mint, decimals, tokenProgram, amount, rentLamports, keepsTransferFee };
}

type WithdrawnToken = {
  mint: Address;
  tokenProgram: Address;
  decimals: number;
  extensions: readonly MintExtension[];
  keepsTransferFee: boolean;
};

async function readToken(rpc: RpcClient, mint: Address): Promise<WithdrawnToken> {
  const refuse = (
    reason: 'no-mint' | 'wrapped-sol' | 'transfer-hook' | 'non-transferable' | 'default-frozen',
  ): never => {
    throw new AppError('WITHDRAWAL_TOKEN', { field: 'tokenContractAddress', reason });
  };
  if (mint === WRAPPED_SOL_MINT) return refuse('wrapped-sol');
  const { value } = await reading(rpc.getParsedAccountInfo(mint));
  const decimals = value?.parsed?.info['decimals'];
  const isToken = value?.owner === TOKEN_PROGRAM || value?.owner === TOKEN_2022_PROGRAM;
  if (!isToken || value.parsed?.type !== 'mint' || typeof decimals !== 'number') return refuse('no-mint');
  const extensions = readExtensions(value.parsed.info['extensions']);
  let keepsTransferFee = false;
  for (const extension of extensions) {
    if (extension.kind === 'transfer-hook' && extension.active) refuse('transfer-hook');
    if (extension.kind === 'non-transferable' || extension.kind === 'default-frozen') refuse(extension.kind);
    if (extension.kind === 'transfer-fee') keepsTransferFee = true;
  }
  return { mint, tokenProgram: value.owner, decimals, extensions, keepsTransferFee };
}

const U64_MAX = 2n ** 64n - 1n;

function readAmount(text: string, decimals: number): bigint {
  const reading = readDecimal(text, decimals);
  if (!reading.ok) throw new AppError('INVALID_INPUT', { field: 'amount', reason: 'format' });
  if (reading.raw <= 0n || reading.raw > U64_MAX) {
    throw new AppError('INVALID_INPUT', { field: 'amount', reason: 'range' });
  }
  return reading.raw;
}

function reading<T>(reply: Promise<T>): Promise<T> {
  return reply.catch((cause: unknown) => {
    throw new AppError('UNAVAILABLE', undefined, { cause });
  });
}
