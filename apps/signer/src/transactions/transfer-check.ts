import {
  type AccountKey,
  ASSOCIATED_TOKEN,
  COMPUTE_BUDGET,
  isReserved,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
} from '../account-key.ts';
import { deny } from '../denial.ts';
import { refuseRuinousFee } from './network-fee.ts';
import { ownTokenAccount } from './program-address.ts';
import type { CommitPolicy, ReturnPolicy, SigningPolicy } from './signing-policy.ts';
import {
  ATA_CREATE_IDEMPOTENT,
  readSystemTransfer,
  TOKEN_2022_RENT_LAMPORTS,
  TOKEN_RENT_LAMPORTS,
  TOKEN_TRANSFER_CHECKED,
} from './token-instruction.ts';
import type { WireInstruction, WireTransaction } from './wire-transaction.ts';

// Transfers between personal and strategy wallets, and withdrawals of tokens. The wallet is the only signer and pays the fee; every transfer is one
// that the policy names, and every one that it names is there exactly once.

export function checkCommit(transaction: WireTransaction, wallet: AccountKey, policy: CommitPolicy): void {
  checkSingleSigner(transaction, wallet);
  let transfers = 0;
  for (const instruction of transaction.instructions) {
    if (instruction.program === COMPUTE_BUDGET) continue;
    if (instruction.program !== SYSTEM) deny('PROGRAM', 'a commit is one system transfer');
    const { from, to, lamports } = readSystemTransfer(instruction);
    if (from !== wallet) deny('DESTINATION', 'a transfer that is not ours');
    if (to !== policy.strategyWallet) deny('DESTINATION', 'the transfer goes elsewhere');
    if (lamports !== policy.lamports) deny('AMOUNT', 'the transfer is not the amount of the commit');
    transfers += 1;
  }
  if (transfers !== 1) deny('INSTRUCTION', 'exactly one transfer must leave the wallet');
}

/** Answers the rent that new token accounts may cost, by their owner's index among `policy.tokens`. */
export function checkReturn(transaction: WireTransaction, wallet: AccountKey, policy: ReturnPolicy): bigint[] {
  checkSingleSigner(transaction, wallet);
  const legs = new Set(policy.legs);
  const tokens = new Set(policy.tokens);
  const created = new Set<ReturnPolicy['tokens'][number]>();
  for (const instruction of transaction.instructions) {
    const { program } = instruction;
    if (program === COMPUTE_BUDGET) continue;
    if (program === SYSTEM) {
      const { from, to, lamports } = readSystemTransfer(instruction);
      if (from !== wallet) deny('DESTINATION', 'a transfer that is not ours');
      const leg = policy.legs.find((one) => one.to === to) ?? deny('DESTINATION', 'a transfer to somebody not named');
      if (!legs.delete(leg)) deny('INSTRUCTION', 'a second transfer to the same wallet');
      if (lamports !== leg.lamports) deny('AMOUNT', 'the transfer is not the amount named');
    } else if (program === ASSOCIATED_TOKEN) {
      const leg = createdFor(instruction, wallet, policy);
      if (created.has(leg)) deny('INSTRUCTION', 'a token account created twice');
      created.add(leg);
    } else if (program === TOKEN || program === TOKEN_2022) {
      if (!tokens.delete(sentTo(instruction, wallet, policy)))
        deny('INSTRUCTION', 'a second transfer of the same tokens');
    } else deny('PROGRAM', 'a program that is not on the list');
  }
  if (legs.size > 0 || tokens.size > 0) deny('INSTRUCTION', 'a transfer that was named is missing');
  return policy.tokens.map((leg) => {
    if (!created.has(leg)) return 0n;
    return leg.tokenProgram === TOKEN ? TOKEN_RENT_LAMPORTS : TOKEN_2022_RENT_LAMPORTS;
  });
}

/**
 * One token transfer from the wallet's associated account to the destination's, which may be created first at the
 * wallet's cost: the form of a return of one token.
 */
export function checkTokenWithdrawal(
  transaction: WireTransaction,
  wallet: AccountKey,
  { destination, destinationText, token }: SigningPolicy & { kind: 'withdrawal' },
): void {
  refuseUnusable(wallet, destination, destinationText);
  checkReturn(transaction, wallet, {
    kind: 'return',
    legs: [],
    tokens: [{ ...token!, to: destination, toText: destinationText }],
  });
}

/** What such a destination receives nobody else could ever spend. */
export function refuseUnusable(wallet: AccountKey, destination: AccountKey, destinationText: string): void {
  if (destination === wallet || isReserved(destination, destinationText)) {
    deny('DESTINATION', 'nobody else could ever spend what this destination receives');
  }
}

function checkSingleSigner(transaction: WireTransaction, wallet: AccountKey): void {
  if (transaction.keys[0] !== wallet) deny('FEE_PAYER', 'the wallet itself must pay the fee');
  if (transaction.requiredSignatures !== 1) deny('INSTRUCTION', 'a transfer between our wallets has one signer');
  refuseRuinousFee(transaction);
}

function createdFor({ data, accounts }: WireInstruction, wallet: AccountKey, policy: ReturnPolicy) {
  if (data.length !== 1 || data[0] !== ATA_CREATE_IDEMPOTENT || accounts.length !== 6) {
    deny('INSTRUCTION', 'only the idempotent creation of a token account is accepted');
  }
  const [payer, account, owner, mint, system, tokenProgram] = accounts;
  if (payer !== wallet) deny('INSTRUCTION', 'somebody else pays for a token account');
  const leg = policy.tokens.find((one) => one.to === owner && one.mint === mint && one.tokenProgram === tokenProgram);
  if (leg === undefined) deny('DESTINATION', 'a token account that no transfer needs');
  if (system !== SYSTEM) deny('PROGRAM', 'not the system program');
  if (account !== ownTokenAccount(leg.to, leg.mint, leg.tokenProgram))
    deny('DESTINATION', 'not the associated account');
  return leg;
}

function sentTo({ program, data, accounts }: WireInstruction, wallet: AccountKey, policy: ReturnPolicy) {
  if (data[0] !== TOKEN_TRANSFER_CHECKED || data.length !== 10 || accounts.length !== 4) {
    deny('INSTRUCTION', 'a token instruction that is not on the list');
  }
  const [source, mint, destination, authority] = accounts;
  if (authority !== wallet) deny('INSTRUCTION', 'somebody else sends tokens');
  const leg = policy.tokens.find(
    (one) => one.mint === mint && destination === ownTokenAccount(one.to, one.mint, one.tokenProgram),
  );
  if (leg === undefined) deny('DESTINATION', 'tokens would go to somebody not named');
  if (program !== leg.tokenProgram) deny('PROGRAM', 'the other token program');
  if (source !== ownTokenAccount(wallet, leg.mint, leg.tokenProgram)) deny('MINT', 'tokens from another account');
  if (data.readBigUInt64LE(1) !== leg.amount) deny('AMOUNT', 'the tokens are not the amount named');
  return leg;
}
