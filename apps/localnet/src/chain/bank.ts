// Executes transactions against the present state and tells exactly what each of them changed. Knows nothing of
// files: the caller makes the outcome durable before anybody hears of it.

import { encodeBase58 } from '@hunter/solana/base58';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { type ResolvedKeys, resolveKeys } from './account-keys.ts';
import type { AccountStore } from './account-store.ts';
import type { Blockhashes } from './blockhashes.ts';
import type { Account, LedgerTransaction } from './chain.ts';
import { isTokenProgram, tokenBalances } from './token-state.ts';
import { isNonce, namedNonce, nextNonceValue, nonceValue, setsNonce, withNonceValue } from './durable-nonce.ts';
import type { TransactionErrorJson } from './transaction-error.ts';
import type { Execution, VirtualMachine } from './virtual-machine.ts';
import type { WireTransaction } from './wire-transaction.ts';

export const LAMPORTS_PER_SIGNATURE = 5000n;
const SYSTEM_TRANSFER = 2;

export type AccountWrite = { address: string; account: Account | null };

type BankOutcome =
  | { kind: 'executed'; transaction: LedgerTransaction; writes: AccountWrite[] }
  /** Nothing changed and no fee was taken. */
  | { kind: 'refused'; err: TransactionErrorJson; logs: string[]; unitsConsumed: bigint };

// Programs whose instructions change the fee in ways the runtime knows best.
const FEE_PROGRAMS = new Set([
  COMPUTE_BUDGET_PROGRAM as string,
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

export class Bank {
  readonly vm: VirtualMachine;
  readonly accounts: AccountStore;
  readonly #blockhashes: Blockhashes;
  #vmSlot = -1;
  #slot = 0;
  #unixTimestamp = 0;

  constructor(vm: VirtualMachine, accounts: AccountStore, blockhashes: Blockhashes) {
    this.vm = vm;
    this.accounts = accounts;
    this.#blockhashes = blockhashes;
  }

  enterSlot(slot: number, unixTimestamp: number): void {
    this.#slot = slot;
    this.#unixTimestamp = unixTimestamp;
    this.#blockhashes.enterSlot(slot);
  }

  // The machine learns of a slot only when it is needed: most slots of a quiet chain hold no transaction.
  syncClock(): void {
    if (this.#vmSlot === this.#slot) return;
    this.#vmSlot = this.#slot;
    this.vm.enterSlot(this.#slot, this.#unixTimestamp, (slot) => this.#blockhashes.bytes(slot));
  }

  read(address: string): Account | null {
    const account = this.accounts.get(address);
    if (account !== null) return account;
    if (!this.vm.sysvars.has(address)) return null;
    this.syncClock();
    return this.vm.account(address);
  }

  /** True where the transaction's lifetime is a recent blockhash or the value of its own durable nonce. */
  isAlive(transaction: WireTransaction): boolean {
    return this.#blockhashes.slotOf(transaction.blockhash) !== null || this.#nonceAccount(transaction) !== null;
  }

  /** A nonce is good for one use a slot, because its next value comes from the slot's blockhash. */
  #nonceAccount(transaction: WireTransaction): string | null {
    const address = namedNonce(transaction);
    const account = address === null ? null : this.accounts.get(address);
    if (address === null || account === null || !isNonce(account)) return null;
    const value = nonceValue(account);
    if (encodeBase58(value) !== transaction.blockhash) return null;
    return Buffer.compare(value, this.#nextNonceValue()) === 0 ? null : address;
  }

  #nextNonceValue(): Uint8Array {
    return nextNonceValue(this.#blockhashes.bytes(this.#slot));
  }

  /** `isGenuine` says that the signatures were checked before. */
  execute(
    transaction: WireTransaction,
    place: { index: number; keepFailure: boolean; isGenuine: boolean },
  ): BankOutcome {
    const resolved = resolveKeys(transaction, (address) => this.accounts.get(address));
    if ('fault' in resolved) return refused(resolved.fault, null);
    this.syncClock();
    const { keys } = resolved;
    const preBalances = keys.map((key) => this.accounts.get(key)?.lamports ?? this.#sysvarLamports(key));
    const preTokenBalances = tokenBalances(keys, (key) => this.accounts.get(key));
    const execution = this.vm.execute(transaction.bytes, place.isGenuine);
    const writes =
      execution.err === null ? this.#changed(transaction, resolved, execution) : this.#chargedFor(transaction, keys);
    if (execution.err !== null) {
      const payerAfter = writes[0]?.account?.lamports ?? 0n;
      // The runtime refuses some transactions before it takes their fee; those leave no trace on a real chain either.
      if (payerAfter === preBalances[0]) return refused(execution.err, execution);
      if (!place.keepFailure) {
        for (const { address } of writes) this.vm.setAccount(address, this.accounts.get(address));
        return refused(execution.err, execution);
      }
    }
    for (const { address, account } of writes) this.accounts.write(address, account, this.#slot);
    const postBalances = keys.map(
      (key, i) => this.accounts.get(key)?.lamports ?? (resolved.writable[i] ? 0n : preBalances[i]!),
    );
    return {
      kind: 'executed',
      writes,
      transaction: {
        signature: transaction.signature,
        slot: BigInt(this.#slot),
        index: place.index,
        blockTime: this.#unixTimestamp,
        wire: transaction.bytes,
        err: execution.err,
        fee: execution.err === null ? feeOf(transaction, execution) : preBalances[0]! - postBalances[0]!,
        accountKeys: keys,
        preBalances,
        postBalances,
        preTokenBalances,
        postTokenBalances: tokenBalances(keys, (key) => this.accounts.get(key)),
        innerInstructions: execution.inner
          .map((instructions, index) => ({ index, instructions }))
          .filter(({ instructions }) => instructions.length > 0),
        logMessages: execution.logs,
        computeUnitsConsumed: execution.computeUnits,
        ...(execution.returnData === null ? {} : { returnData: execution.returnData }),
      },
    };
  }

  #sysvarLamports(key: string): bigint {
    return this.vm.sysvars.has(key) ? (this.vm.account(key)?.lamports ?? 0n) : 0n;
  }

  #changed(transaction: WireTransaction, { keys, writable }: ResolvedKeys, execution: Execution): AccountWrite[] {
    const writes: AccountWrite[] = [];
    const { reshaped, nonces } = systemChanges(transaction, keys, execution);
    for (let i = 0; i < keys.length; i += 1) {
      const address = keys[i]!;
      if (writable[i] !== true || this.vm.sysvars.has(address)) continue;
      const before = this.accounts.get(address);
      if (before !== null && isPlainWallet(before) && !reshaped.has(i)) {
        const lamports = this.vm.lamports(address);
        if (lamports === before.lamports) continue;
        writes.push({ address, account: lamports === null || lamports === 0n ? null : { ...before, lamports } });
        continue;
      }
      const isToken = before !== null && isTokenProgram(before.owner) && !reshaped.has(i);
      const account = isToken ? this.vm.tokenAccount(address, before) : this.vm.account(address);
      if (account === null && before === null) continue;
      if (account !== null && before !== null && isSame(account, before)) continue;
      const isMoved = account !== null && nonces.has(i) && isNonce(account);
      writes.push({ address, account: isMoved ? this.#moveNonce(address, account) : account });
    }
    return writes;
  }

  /** A failed transaction changes its payer, and a durable nonce that it used up. */
  #chargedFor(transaction: WireTransaction, keys: string[]): AccountWrite[] {
    const payer = keys[0]!;
    const nonce = this.#nonceAccount(transaction);
    const writes: AccountWrite[] = [{ address: payer, account: this.vm.account(payer) }];
    if (nonce === null) return writes;
    const account = this.vm.account(nonce);
    if (account !== null) writes.push({ address: nonce, account: this.#moveNonce(nonce, account) });
    return writes;
  }

  #moveNonce(address: string, account: Account): Account {
    const moved = withNonceValue(account, this.#nextNonceValue());
    this.vm.setAccount(address, moved);
    return moved;
  }
}

function isPlainWallet(account: Account): boolean {
  return account.owner === SYSTEM_PROGRAM && account.data.length === 0;
}

/**
 * Accounts whose owner or data the System program may have changed, and those among them whose nonce it set. A plain
 * wallet outside of these can have changed in its lamports only, because no other program may write to it.
 */
function systemChanges(
  transaction: WireTransaction,
  keys: string[],
  execution: Execution,
): { reshaped: ReadonlySet<number>; nonces: ReadonlySet<number> } {
  const reshaped = new Set<number>();
  const nonces = new Set<number>();
  const look = (instruction: { programIdIndex: number; accounts: ArrayLike<number>; data: Uint8Array }): void => {
    if (keys[instruction.programIdIndex] !== SYSTEM_PROGRAM || instruction.data[0] === SYSTEM_TRANSFER) return;
    for (let i = 0; i < instruction.accounts.length; i += 1) reshaped.add(instruction.accounts[i]!);
    if (setsNonce(instruction.data) && instruction.accounts.length > 0) nonces.add(instruction.accounts[0]!);
  };
  transaction.instructions.forEach(look);
  for (const list of execution.inner) list.forEach(look);
  return { reshaped, nonces };
}

function isSame(a: Account, b: Account): boolean {
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    Buffer.compare(a.data, b.data) === 0
  );
}

function refused(err: TransactionErrorJson, execution: Execution | null): BankOutcome {
  return {
    kind: 'refused',
    err,
    logs: execution?.logs ?? [],
    unitsConsumed: execution?.computeUnits ?? 0n,
  };
}

export function hasPlainFee(transaction: WireTransaction): boolean {
  return transaction.instructions.every(
    ({ programIdIndex }) => !FEE_PROGRAMS.has(transaction.staticKeys[programIdIndex]!),
  );
}

function feeOf(transaction: WireTransaction, execution: Execution): bigint {
  if (hasPlainFee(transaction)) return LAMPORTS_PER_SIGNATURE * BigInt(transaction.numRequiredSignatures);
  return execution.fee();
}
