import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import type { Transaction } from '../platform/postgres.ts';
import type { Purpose, SignedTransaction } from './signed-transaction.ts';

export type Landed = {
  transaction: SignedTransaction;
  onChain: ChainTransaction;
  /** It was posted before, and is final on another fork now: this comes in the place of what was posted. */
  isFinal?: boolean;
};

/** The receiver of a transaction answered that it will not send it. */
export type SendRefusal = {
  /** Holds even where an earlier request for the same bytes may still be on its way. */
  lasting: boolean;
  error: ErrorName;
};

/**
 * What one purpose does at each step of its transactions' life. `Claim` is what it needs to move its intent on, `Fact` what it
 * reads from the chain, `Posted` what it answers to whoever follows the transaction.
 */
export interface PurposeRules<Claim, Fact, Posted> {
  readonly purpose: Purpose;
  /** A noun for the log, such as "order recovery". */
  readonly name: string;
  /** From which commitment on the chain's word is posted. */
  readonly postsAt: 'confirmed' | 'finalized';
  /** How long a transaction is left to whoever sent it before recovery looks at it. */
  readonly leftBehindMs: number;
  /** The pause after a pass that found so many transactions and intents open. */
  pauseMs(open: number): number;

  /** In the transaction that records the signed bytes: moves the intents on and answers those that still wait for them. */
  claim(
    sql: Transaction,
    signed: readonly { transaction: SignedTransaction; claim: Claim }[],
  ): Promise<ReadonlySet<string>>;
  /** Sends the bytes, for the first time or again, and answers refusals by signature. No answer refuses nothing. */
  send(transactions: readonly SignedTransaction[]): Promise<ReadonlyMap<string, SendRefusal>>;
  /** Before the posting, outside of its database transaction. */
  read(landed: readonly Landed[]): Promise<Fact[]>;
  /** Posts what happened, failures with their fee included; each transaction is handed over once. */
  post(sql: Transaction, facts: readonly Fact[]): Promise<Posted[]>;
  /** Not posted yet, but confirmed; only where posting waits for finality. */
  confirmed?(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<void>;
  /** Posted, and now final; only where posting did not wait for it. */
  finalized?(sql: Transaction, intentIds: readonly string[]): Promise<void>;
  /**
   * Posted, and then provably dropped by the chain with its fork: undoes it or sends it again. Answers those dealt with; the others,
   * whose money is in use, come again with the next pass. Only where posting did not wait for finality.
   */
  dropped?(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<ReadonlySet<string>>;
  /** These provably did not and cannot happen: their intents wait for a signature again. */
  release(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<void>;
  /** Signs again, or gives up, what waits for a signature and nobody works on. Answers how many intents it found. */
  resume(olderThanMs: number): Promise<number>;
}
