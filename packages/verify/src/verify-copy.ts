import { verifyAllocation, type AllocationProof } from './allocation-proof.ts';
import type { Chain } from './chain.ts';
import { effectOn, memosOf } from './effect.ts';

/** What a receipt offers: the own allocation, and the transaction in which the round was executed. */
export type CopyProof = AllocationProof & { txHash: string };

export type CopyCheck =
  | {
      ok: true;
      memo: string;
      amountIn: bigint;
      /** Inputs of all allocations together, which is what the swap spent. */
      sum: bigint;
      count: number;
      decimals: number;
    }
  | {
      ok: false;
      problem:
        | 'not-found'
        | 'failed'
        | 'other-wallet'
        | 'no-memo'
        | 'other-sum'
        | 'unreadable-proof'
        | 'wrong-path'
        | 'other-memo';
      detail: string;
    };

const SOL_DECIMALS = 9;

/** Checks a copy against the chain alone: memo, own input, and that all inputs are what the swap spent. */
export async function verifyCopy(chain: Chain, proof: CopyProof): Promise<CopyCheck> {
  const transaction = (await chain.transactions([proof.txHash])).get(proof.txHash);
  if (!transaction) return { ok: false, problem: 'not-found', detail: proof.txHash };
  const effect = effectOn(proof.wallet, transaction);
  if (!effect) return { ok: false, problem: 'other-wallet', detail: proof.wallet };
  if (effect.failed) return { ok: false, problem: 'failed', detail: proof.txHash };
  const memo = memosOf(transaction).find((text) => text.startsWith('hunter:a1:'));
  if (memo === undefined) return { ok: false, problem: 'no-memo', detail: proof.txHash };
  const checked = verifyAllocation(proof, memo);
  if (!checked.ok) return checked;
  const token = effect.tokens.get(proof.mint);
  const spent = proof.side === 'buy' ? -effect.swapLamports : -(token?.change ?? 0n);
  const decimals = proof.side === 'buy' ? SOL_DECIMALS : token?.decimals;
  if (spent !== checked.sum || decimals === undefined) {
    return { ok: false, problem: 'other-sum', detail: `${spent} instead of ${checked.sum}` };
  }
  return { ok: true, memo, amountIn: checked.amountIn, sum: checked.sum, count: checked.count, decimals };
}
