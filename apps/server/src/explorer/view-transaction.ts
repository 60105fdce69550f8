import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { printSol } from '@hunter/domain/numbers/lamports';
import { balanceChanges, tokensAfter } from '@hunter/solana/balance-changes';
import { encodeBase58 } from '@hunter/solana/base58';
import { MEMO_PROGRAM } from '@hunter/solana/program-ids';
import type { ChainTransaction, SignatureStatus } from '@hunter/solana/rpc-replies';
import { decodeTransaction } from '@hunter/solana/transaction';
import type { Address } from '@hunter/solana/address';
import { describeInstruction } from './describe-instruction.ts';
import { programName } from './program-names.ts';

type Reply = CallReply<'getChainTransaction'>;
type Details = NonNullable<Reply['details']>;
export type TokenRef = NonNullable<Details['instructions'][number]['token']>;
export type TokenRefOf = (mint: Address) => TokenRef;
export type IsPoolOf = (mint: Address, address: string) => boolean;

/** The memo of a strategy's round; see `docs/decisions/0017-the-memo-of-a-round.md`. */
const ROUND_MEMO = /^hunter:a1:[\w-]{43}$/;
const LOG_LINES_MAX = 500;

/**
 * `status` is what the node remembers of the signature, `transaction` what it has of its contents. `isRound`: it is the swap of a
 * strategy's round. A memo alone says nothing, anybody can write it.
 */
export function viewTransaction(
  signature: string,
  transaction: ChainTransaction | null,
  status: SignatureStatus | null,
  tokenOf: TokenRefOf,
  isPoolOf: IsPoolOf,
  isRound: boolean,
): Reply {
  const confirmation = status?.confirmationStatus ?? null;
  if (transaction === null) {
    return {
      signature,
      status: endOf(status),
      confirmation,
      slot: status === null ? null : Number(status.slot),
      time: null,
      error: status === null ? null : readError(status.err),
      details: null,
    };
  }
  return {
    signature,
    status: transaction.err === null ? 'success' : 'failed',
    confirmation,
    slot: Number(transaction.slot),
    time: transaction.blockTime === null ? null : transaction.blockTime * 1_000,
    error: readError(transaction.err),
    details: viewDetails(transaction, tokenOf, isPoolOf, isRound),
  };
}

/** What is not final yet has no contents yet that the node would tell. */
function endOf(status: SignatureStatus | null): Reply['status'] {
  if (status === null) return 'unknown';
  if (status.confirmationStatus === 'finalized') return 'pruned';
  return status.err === null ? 'success' : 'failed';
}

function viewDetails(
  transaction: ChainTransaction,
  tokenOf: TokenRefOf,
  isPoolOf: IsPoolOf,
  isRound: boolean,
): Details {
  const { accountKeys, postBalances, logMessages } = transaction;
  const changes = balanceChanges(transaction);
  const { message } = decodeTransaction(transaction.wire);
  const instructions = message.instructions.map(({ programIndex, accountIndexes, data }) => ({
    program: accountKeys[programIndex]!,
    accounts: accountIndexes.map((index) => accountKeys[index]!),
    data,
  }));
  return {
    fee: printSol(changes.fee),
    signers: accountKeys.slice(0, transaction.requiredSignatures),
    solChanges: [...changes.lamportDeltas].map(([address, change]) => ({
      address,
      change: printSol(change),
      after: printSol(postBalances[accountKeys.indexOf(address)] ?? 0n),
    })),
    tokenChanges: changes.tokenDeltas.map(({ owner, mint, delta, decimals }) => ({
      ...tokenOf(mint),
      owner,
      isPool: isPoolOf(mint, owner),
      change: printDecimal(delta, decimals),
      after: printDecimal(tokensAfter(transaction, owner, mint), decimals),
    })),
    instructions: instructions.map(({ program, accounts, data }) => {
      const { name, lamports, tokens } = describeInstruction(program, accounts, data);
      return {
        program,
        programName: programName(program),
        name,
        amount: lamports !== null ? printSol(lamports) : tokens && printDecimal(tokens.units, tokens.decimals),
        token: tokens && tokenOf(tokens.mint),
        accounts,
        data: encodeBase58(data),
      };
    }),
    memos: instructions
      .filter(({ program }) => program === MEMO_PROGRAM)
      .map(({ data }) => new TextDecoder().decode(data))
      .map((text) => ({ text, kind: isRound && ROUND_MEMO.test(text) ? 'round' : 'text' })),
    logs: logMessages.slice(0, LOG_LINES_MAX),
  };
}

/** The node's errors are names, or objects of one name: `{ InstructionError: [2, { Custom: 6001 }] }`. */
function readError(error: unknown): Reply['error'] {
  if (error === null || error === undefined) return null;
  const failed = (error as { InstructionError?: unknown }).InstructionError;
  if (Array.isArray(failed)) return { instruction: Number(failed[0]) + 1, reason: nameOf(failed[1]) };
  return { instruction: null, reason: nameOf(error) };
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return String(error);
  return Object.entries(error)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
