// LiteSVM behind the few calls the ledger needs. It is used through its byte interface: building and taking apart
// transaction objects would cost more than executing most transactions does.

import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import {
  Account as RuntimeAccount,
  Clock,
  FailedTransactionMetadata,
  LiteSvm,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { addressBytes, encodeAddress } from './address-text.ts';
import type { Account } from './chain.ts';
import { NATIVE_LOADER, SLOT_HASHES_SYSVAR, SYSVAR_OWNER, UPGRADEABLE_LOADER } from './program-addresses.ts';
import { type TransactionErrorJson, transactionErrorJson } from './transaction-error.ts';

export const SLOTS_PER_EPOCH = 432_000;
const SLOT_HASHES_MAX = 512;

export type Execution = {
  err: TransactionErrorJson | null;
  logs: string[];
  computeUnits: bigint;
  /** One list per top-level instruction. */
  inner: { programIdIndex: number; accounts: number[]; data: Uint8Array; stackHeight: number }[][];
  returnData: { programId: string; data: Uint8Array } | null;
  /** The fee the runtime worked out; read lazily because it is only printed, not offered as a number. */
  fee: () => bigint;
};

export type Simulation = Execution & { postAccounts: Map<string, Account> };

function fromRuntime(account: RuntimeAccount): Account {
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner: encodeAddress(account.owner()),
    executable: account.executable(),
  };
}

function executionOf(meta: TransactionMetadata, err: TransactionErrorJson | null): Execution {
  const returned = meta.returnData();
  const data = returned.data();
  return {
    err,
    logs: meta.logs(),
    computeUnits: meta.computeUnitsConsumed(),
    inner: meta.innerInstructions().map((list) =>
      list.map((entry) => {
        const instruction = entry.instruction();
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: instruction.data(),
          stackHeight: entry.stackHeight(),
        };
      }),
    ),
    returnData: data.length > 0 ? { programId: encodeAddress(returned.programId()), data } : null,
    fee: () => BigInt(/fee: (\d+) \}\)$/.exec(meta.toString())?.[1] ?? 0),
  };
}

export class VirtualMachine {
  readonly #svm: LiteSvm;
  readonly sysvars: ReadonlySet<string>;
  #verifies = true;
  readonly #slotHashes = Buffer.alloc(8 + SLOT_HASHES_MAX * 40);

  constructor() {
    this.#svm = new LiteSvm();
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.setSigverify(true);
    this.#svm.withNativeMints();
    const schedule = this.#svm.getEpochSchedule();
    schedule.warmup = false;
    schedule.firstNormalEpoch = 0n;
    schedule.firstNormalSlot = 0n;
    schedule.leaderScheduleSlotOffset = BigInt(SLOTS_PER_EPOCH);
    this.#svm.setEpochSchedule(schedule);
    this.sysvars = new Set(this.#ownedBy(SYSVAR_OWNER).map(([address]) => address));
  }

  #ownedBy(owner: string): [string, Account][] {
    return this.#svm
      .getProgramAccounts(addressBytes(owner))
      .map((entry) => [encodeAddress(entry.address), fromRuntime(entry.account())]);
  }

  /** The programs, their code and the native mints that every cluster starts with. */
  genesisAccounts(): [string, Account][] {
    const owners = [
      NATIVE_LOADER,
      'BPFLoader1111111111111111111111111111111111',
      'BPFLoader2111111111111111111111111111111111',
      UPGRADEABLE_LOADER,
      TOKEN_PROGRAM,
      TOKEN_2022_PROGRAM,
    ];
    return owners.flatMap((owner) => this.#ownedBy(owner));
  }

  rentExemptLamports(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  account(address: string): Account | null {
    const account = this.#svm.getAccount(addressBytes(address));
    return account === null ? null : fromRuntime(account);
  }

  /**
   * The same for an account of a token program. Such an account goes back to the System program only by being emptied, so
   * one that is as large as before belongs to whom it belonged, which need not be asked.
   */
  tokenAccount(address: string, before: Account): Account | null {
    const account = this.#svm.getAccount(addressBytes(address));
    if (account === null) return null;
    const data = account.data();
    if (data.length !== before.data.length) return fromRuntime(account);
    return { lamports: account.lamports(), data, owner: before.owner, executable: before.executable };
  }

  /** Null where there is no account: several times cheaper than reading all of it. */
  lamports(address: string): bigint | null {
    return this.#svm.getBalance(addressBytes(address));
  }

  setAccount(address: string, account: Account | null): void {
    const value =
      account === null
        ? new RuntimeAccount(0n, new Uint8Array(), new Uint8Array(32), false, 0n)
        : new RuntimeAccount(account.lamports, account.data, addressBytes(account.owner), account.executable, 0n);
    this.#svm.setAccount(addressBytes(address), value);
  }

  /** Lets programs see the slot: the clock, and the hashes of recent slots that lookup tables are created by. */
  enterSlot(slot: number, unixTimestamp: number, hashOf: (slot: number) => Uint8Array): void {
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    const time = BigInt(unixTimestamp);
    this.#svm.setClock(new Clock(BigInt(slot), time, epoch, epoch + 1n, time));
    const hashes = this.#slotHashes;
    hashes.writeBigUInt64LE(BigInt(SLOT_HASHES_MAX), 0);
    for (let i = 0; i < SLOT_HASHES_MAX; i += 1) {
      const past = slot - 1 - i;
      hashes.writeBigUInt64LE(BigInt(past), 8 + i * 40);
      hashes.set(hashOf(past), 16 + i * 40);
    }
    this.#svm.setAccount(
      addressBytes(SLOT_HASHES_SYSVAR),
      new RuntimeAccount(1n, hashes, addressBytes(SYSVAR_OWNER), false, 0n),
    );
    // Durable nonces move with the runtime's own blockhash, which must differ from slot to slot.
    this.#svm.expireBlockhash();
  }

  /** The bytes must have passed `parseWire` and `sanitizeFault`. */
  execute(wire: Uint8Array, isGenuine: boolean): Execution {
    this.#verifySignatures(!isGenuine);
    const result = this.#svm.sendVersionedTransaction(wire);
    if (result instanceof FailedTransactionMetadata) {
      return executionOf(result.meta(), transactionErrorJson(result.err()));
    }
    return executionOf(result, null);
  }

  simulate(wire: Uint8Array, verifySignatures: boolean): Simulation {
    this.#verifySignatures(verifySignatures);
    const result = this.#svm.simulateVersionedTransaction(wire);
    if (result instanceof FailedTransactionMetadata) {
      return { ...executionOf(result.meta(), transactionErrorJson(result.err())), postAccounts: new Map() };
    }
    const postAccounts = new Map(
      result.postAccounts().map((entry) => [encodeAddress(entry.address), fromRuntime(entry.account())]),
    );
    return { ...executionOf(result.meta(), null), postAccounts };
  }

  // Every execution says what it wants, so that none runs under what an earlier one left behind.
  #verifySignatures(wanted: boolean): void {
    if (this.#verifies === wanted) return;
    this.#svm.setSigverify(wanted);
    this.#verifies = wanted;
  }
}
