import {
  type AccountKey,
  ASSOCIATED_TOKEN,
  COMPUTE_BUDGET,
  MEMO_PROGRAMS,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
} from '../account-key.ts';
import { deny } from '../denial.ts';
import { networkFee, refuseRuinousFee } from './network-fee.ts';
import { ownTokenAccount } from './program-address.ts';
import type { PoolCertificates } from './pool-certificates.ts';
import type { SigningPolicy } from './signing-policy.ts';
import {
  ATA_CREATE_IDEMPOTENT,
  readSystemTransfer,
  TOKEN_2022_RENT_LAMPORTS,
  TOKEN_CLOSE_ACCOUNT,
  TOKEN_RENT_LAMPORTS,
  TOKEN_TRANSFER_CHECKED,
} from './token-instruction.ts';
import { refuseUnusable } from './transfer-check.ts';
import type { WireInstruction, WireTransaction } from './wire-transaction.ts';

// Default deny: every instruction must be one of the few below, in exactly the form that fits the policy. What the
// parsed instructions move is added up and held against the policy's bounds at the end.
//
// A swap has two signers, the wallet and a pool that the venue has certified for this mint. Whatever leaves the wallet
// goes to that pool and whatever comes in comes from it: the policy names amounts, never whom to pay.

/** The one memo that a swap may carry: a strategy's commitment to how its fill is allocated. */
const SWAP_MEMO = /^hunter:a1:[A-Za-z0-9_-]{43}$/;

/** Commits, returns and withdrawals of tokens have a check of their own. */
type Policy = Exclude<SigningPolicy, { kind: 'commit' | 'return' }>;
export type Movement = { lamportsOut: bigint; lamportsIn: bigint; tokensIn: bigint };

type Tally = {
  lamportsOut: bigint;
  lamportsIn: bigint;
  tokensOut: bigint;
  tokensIn: bigint;
  transfersOut: number;
  closed: number;
  created: number;
  memos: number;
};

type Check = {
  wallet: AccountKey;
  /** The other signer of a swap. */
  pool: AccountKey | null;
  policy: Policy;
  transaction: WireTransaction;
  tally: Tally;
};

/**
 * Throws `Denied` unless the bytes do what the policy says and nothing else. Answers what changes hands, fee and rent
 * included, which limits are counted in.
 */
export function checkTransaction(
  transaction: WireTransaction,
  wallet: AccountKey,
  policy: Policy,
  certificates: PoolCertificates,
): Movement {
  if (transaction.keys[0] !== wallet) deny('FEE_PAYER', 'the wallet itself must pay the fee');
  const tally: Tally = {
    lamportsOut: 0n,
    lamportsIn: 0n,
    tokensOut: 0n,
    tokensIn: 0n,
    transfersOut: 0,
    closed: 0,
    created: 0,
    memos: 0,
  };
  const pool = policy.kind === 'swap' ? certifiedPool(transaction, policy, certificates) : null;
  const check: Check = { wallet, pool, policy, transaction, tally };
  // The creation comes first in the tally because a transfer to the account it creates counts as a transfer to us.
  const createdAccount = findCreatedAccount(check);
  for (const instruction of transaction.instructions) checkInstruction(check, instruction, createdAccount);

  if (policy.kind === 'swap') return checkSwapBounds(policy, tally, networkFee(transaction));
  refuseRuinousFee(transaction);
  if (policy.kind === 'close-token-account') {
    if (tally.closed !== 1) deny('INSTRUCTION', 'exactly one account must be closed');
    return tally;
  }
  refuseUnusable(wallet, policy.destination, policy.destinationText);
  if (transaction.requiredSignatures !== 1) deny('INSTRUCTION', 'a withdrawal has one signer');
  if (tally.transfersOut !== 1) deny('INSTRUCTION', 'exactly one transfer must leave the wallet');
  if (tally.lamportsOut !== policy.lamports) deny('AMOUNT', 'the transfer is not the amount of the withdrawal');
  return tally;
}

function certifiedPool(
  transaction: WireTransaction,
  policy: Policy & { kind: 'swap' },
  certificates: PoolCertificates,
): AccountKey {
  const pool = transaction.keys[1];
  if (transaction.requiredSignatures !== 2 || pool === undefined) {
    deny('COUNTERPARTY', 'a swap has two signers, the wallet and a pool');
  }
  if (!certificates.certifies(policy.poolCertificate, pool, policy.mint)) {
    deny('COUNTERPARTY', 'the venue has not certified the other signer as a pool of this mint');
  }
  return pool;
}

function checkSwapBounds(policy: Policy & { kind: 'swap' }, tally: Tally, fee: bigint): Movement {
  const rent = policy.tokenProgram === TOKEN ? TOKEN_RENT_LAMPORTS : TOKEN_2022_RENT_LAMPORTS;
  const lamportsOut = tally.lamportsOut + fee + rent * BigInt(tally.created);
  if (tally.transfersOut > 1) deny('INSTRUCTION', 'a second transfer leaves the wallet');
  if (lamportsOut > policy.maxLamportsOut) deny('AMOUNT', 'more lamports would leave than the order allows');
  if (tally.tokensOut > policy.maxTokensOut) deny('AMOUNT', 'more tokens would leave than the order allows');
  const [received, wanted] =
    policy.side === 'buy' ? [tally.tokensIn, policy.minTokensIn] : [tally.lamportsIn, policy.minLamportsIn];
  if (received === 0n || received < wanted) deny('NOTHING_IN_RETURN', 'the swap returns less than the order demands');
  return { ...tally, lamportsOut };
}

/** The wallet's own token account that this transaction makes sure of. The program itself proves the address. */
function findCreatedAccount(check: Check): AccountKey | null {
  const { policy, wallet, tally } = check;
  const creations = check.transaction.instructions.filter((instruction) => instruction.program === ASSOCIATED_TOKEN);
  const [creation] = creations;
  if (creation === undefined) return null;
  if (policy.kind !== 'swap') deny('INSTRUCTION', 'only swaps create token accounts');
  if (creations.length > 1) deny('INSTRUCTION', 'too many token accounts would be created');
  if (creation.data.length !== 1 || creation.data[0] !== ATA_CREATE_IDEMPOTENT || creation.accounts.length !== 6) {
    deny('INSTRUCTION', 'only the idempotent creation of a token account is accepted');
  }
  const [payer, account, owner, mint, system, tokenProgram] = creation.accounts;
  if (owner !== wallet) deny('DESTINATION', 'the token account would belong to somebody else');
  if (mint !== policy.mint) deny('MINT', 'the token account is of another mint');
  if (system !== SYSTEM || tokenProgram !== policy.tokenProgram) deny('PROGRAM', 'token account of another program');
  if (payer === wallet) tally.created += 1;
  return account!;
}

function checkInstruction(check: Check, instruction: WireInstruction, createdAccount: AccountKey | null): void {
  const { program } = instruction;
  if (program === COMPUTE_BUDGET || program === ASSOCIATED_TOKEN) return;
  if (program === SYSTEM) checkSystem(check, instruction);
  else if (program === TOKEN || program === TOKEN_2022) checkToken(check, instruction, createdAccount);
  else if (MEMO_PROGRAMS.has(program)) checkMemo(check, instruction);
  else deny('PROGRAM', 'a program that is not on the list');
}

function checkMemo(check: Check, { accounts, data }: WireInstruction): void {
  check.tally.memos += 1;
  const isOurs = accounts.length === 0 && SWAP_MEMO.test(data.toString('latin1'));
  if (check.policy.kind !== 'swap' || check.tally.memos > 1 || !isOurs) {
    deny('INSTRUCTION', 'a memo that is not the one of a swap');
  }
}

function checkSystem(check: Check, instruction: WireInstruction): void {
  const { wallet, policy, tally } = check;
  const { from, to, lamports } = readSystemTransfer(instruction);
  if (from !== wallet) {
    if (to !== wallet || from !== check.pool) deny('DESTINATION', 'a transfer that is not ours');
    tally.lamportsIn += lamports;
    return;
  }
  tally.lamportsOut += lamports;
  tally.transfersOut += 1;
  switch (policy.kind) {
    case 'withdrawal':
      if (to !== policy.destination) deny('DESTINATION', 'the transfer goes elsewhere');
      break;
    case 'swap':
      if (policy.side === 'sell') deny('INSTRUCTION', 'a sale sends no lamports');
      if (to !== check.pool) deny('DESTINATION', 'lamports would go to somebody else than the pool');
      break;
    case 'close-token-account':
      deny('INSTRUCTION', 'closing an account sends no lamports');
  }
}

function checkToken(check: Check, instruction: WireInstruction, createdAccount: AccountKey | null): void {
  const { policy } = check;
  if (policy.kind === 'withdrawal') deny('INSTRUCTION', 'a withdrawal of SOL moves no tokens');
  if (instruction.program !== policy.tokenProgram) deny('PROGRAM', 'the other token program');
  const { data } = instruction;
  if (data[0] === TOKEN_CLOSE_ACCOUNT && data.length === 1) checkClose(check, policy, instruction);
  else if (data[0] === TOKEN_TRANSFER_CHECKED && data.length === 10 && policy.kind === 'swap') {
    checkTokenTransfer(check, policy, instruction, createdAccount);
  } else deny('INSTRUCTION', 'a token instruction that is not on the list');
}

function checkClose(
  check: Check,
  policy: Policy & { kind: 'swap' | 'close-token-account' },
  instruction: WireInstruction,
): void {
  const { wallet, tally } = check;
  if (instruction.accounts.length !== 3) deny('INSTRUCTION', 'closing takes three accounts');
  if (policy.kind === 'swap' && policy.side === 'buy') deny('INSTRUCTION', 'a buy closes no account');
  const [account, destination, owner] = instruction.accounts;
  if (owner !== wallet) deny('INSTRUCTION', 'somebody else closes an account');
  if (destination !== wallet) deny('DESTINATION', 'the rent must return to the wallet');
  if (account !== ownTokenAccount(wallet, policy.mint, policy.tokenProgram)) deny('MINT', 'an account of another mint');
  tally.closed += 1;
}

function checkTokenTransfer(
  check: Check,
  policy: Policy & { kind: 'swap' },
  instruction: WireInstruction,
  createdAccount: AccountKey | null,
): void {
  const { wallet, tally } = check;
  if (instruction.accounts.length < 4) deny('INSTRUCTION', 'a transfer takes four accounts');
  const [, mint, destination, authority, ...references] = instruction.accounts;
  if (mint !== policy.mint) deny('MINT', 'tokens of another mint');
  // Accounts after the authority are signers of a multisig authority; the wallet is nobody's multisig.
  if (references.includes(wallet)) deny('INSTRUCTION', 'the wallet as a further signer of a transfer');
  const amount = instruction.data.readBigUInt64LE(1);
  if (authority === wallet) {
    if (policy.side !== 'sell') deny('INSTRUCTION', 'a buy sends no tokens');
    tally.transfersOut += 1;
    tally.tokensOut += amount;
    if (destination !== ownTokenAccount(check.pool!, policy.mint, policy.tokenProgram)) {
      deny('DESTINATION', 'tokens would go to somebody else than the pool');
    }
    return;
  }
  if (authority !== check.pool) deny('COUNTERPARTY', 'tokens come from somebody else than the pool');
  const isOurs =
    (createdAccount !== null && destination === createdAccount) ||
    destination === ownTokenAccount(wallet, policy.mint, policy.tokenProgram);
  if (!isOurs) deny('DESTINATION', 'tokens go to an account that is not the wallet’s');
  tally.tokensIn += amount;
}
