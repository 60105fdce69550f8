import type { Chain, LedgerTransaction, SubmitOutcome } from '../chain/chain.ts';
import { type ExecuteResult, EXECUTE_CODE, failed } from './refusal.ts';
import type { PoolRegistry } from './pool-registry.ts';
import type { SwapAmounts } from './swap-amounts.ts';
import { readTrade } from './trade.ts';

/** What became of a swap that was handed to the chain. */
export function outcomeResult(
  outcome: SubmitOutcome,
  signature: string,
  amounts: SwapAmounts,
  chain: Pick<Chain, 'transaction'>,
  pools: PoolRegistry,
): ExecuteResult {
  if (outcome.kind === 'refused') return failed(EXECUTE_CODE.failedOnChain, outcome.message, signature);
  if (outcome.kind === 'already-processed') {
    const landed = chain.transaction(outcome.signature);
    if (landed === null) return failed(EXECUTE_CODE.failedOnChain, 'Already processed', signature);
    return ledgerResult(landed, pools);
  }
  const { transaction } = outcome;
  if (transaction.err !== null) return failedOnChain(transaction);
  return succeeded(transaction, amounts.inAmount, amounts.outAmount);
}

/** The result as the ledger alone tells it, for orders the venue no longer remembers. */
export function ledgerResult(transaction: LedgerTransaction, pools: PoolRegistry): ExecuteResult {
  if (transaction.err !== null) return failedOnChain(transaction);
  const trade = readTrade(transaction, pools);
  const [input, output] =
    trade === null
      ? [null, null]
      : trade.side === 'buy'
        ? [trade.lamports, trade.tokens]
        : [trade.tokens, trade.lamports];
  return succeeded(transaction, input, output);
}

function succeeded(transaction: LedgerTransaction, input: bigint | null, output: bigint | null): ExecuteResult {
  return {
    status: 'Success',
    signature: transaction.signature,
    slot: transaction.slot.toString(),
    code: EXECUTE_CODE.success,
    error: null,
    totalInputAmount: input?.toString() ?? null,
    totalOutputAmount: output?.toString() ?? null,
  };
}

function failedOnChain(transaction: LedgerTransaction): ExecuteResult {
  const reason = `Transaction failed on chain: ${JSON.stringify(transaction.err)}`;
  return {
    ...failed(EXECUTE_CODE.failedOnChain, reason, transaction.signature),
    slot: transaction.slot.toString(),
  };
}
