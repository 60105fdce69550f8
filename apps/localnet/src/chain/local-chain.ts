// The chain's life: slots pass, transactions are checked, executed and made durable, and readers see the state of
// the commitment they ask for.

import { setComputeUnitLimit } from '@hunter/solana/compute-budget-program';
import { compileMessage } from '@hunter/solana/message';
import type { Keypair } from '@hunter/solana/keypair';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { address as asAddress } from '@hunter/solana/address';
import { resolveKeys } from './account-keys.ts';
import { type Bank, hasPlainFee, LAMPORTS_PER_SIGNATURE } from './bank.ts';
import { BLOCKHASH_AGE_SLOTS_MAX, type Blockhashes } from './blockhashes.ts';
import type {
  Account,
  Commitment,
  HistoryOptions,
  LedgerTransaction,
  ListedTransaction,
  SubmitOutcome,
} from './chain.ts';
import type { HistoryRange, Journal } from './journal.ts';
import type { LedgerChain, SignatureStatus, SimulateOutcome } from './ledger-chain.ts';
import { type SlotAnchor, SlotClock } from './slot-clock.ts';
import { TransactionIntake } from './transaction-intake.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** Block heights trail slots on a real cluster, because slots get skipped; a difference keeps the two apart here too. */
const SLOTS_ABOVE_HEIGHT = 21_000_000;

type LocalChainDeps = {
  bank: Bank;
  blockhashes: Blockhashes;
  journal: Journal;
  recentStatuses: Map<string, SignatureStatus>;
  faucet: Keypair;
  anchor: SlotAnchor;
  slotMs: number;
  finalitySlots: number;
  now: () => number;
  manual: boolean;
};

export class LocalChain implements LedgerChain {
  readonly faucetAddress: string;
  readonly slotMs: number;
  readonly #deps: LocalChainDeps;
  readonly #clock: SlotClock;
  readonly #intake: TransactionIntake;
  readonly #slotListeners = new Set<(slot: { slot: bigint; parent: bigint; root: bigint }) => void>();
  /** All transactions up to the end of this slot are on disk. */
  #durableSlot: number;
  #airdrops = 0;

  constructor(deps: LocalChainDeps) {
    this.#deps = deps;
    this.faucetAddress = deps.faucet.address;
    this.slotMs = deps.slotMs;
    this.#intake = new TransactionIntake(deps);
    this.#durableSlot = deps.anchor.slot - 1;
    this.#clock = new SlotClock({
      anchor: deps.anchor,
      slotMs: deps.slotMs,
      now: deps.now,
      manual: deps.manual,
      onSlot: (slot) => this.#enterSlot(slot),
    });
    deps.bank.enterSlot(deps.anchor.slot, this.unixTimestamp());
    this.#clock.start();
  }

  #enterSlot(slot: number): void {
    const { bank } = this.#deps;
    const ended = slot - 1;
    this.#intake.enterSlot(slot);
    bank.enterSlot(slot, this.unixTimestamp());
    // Not what is still on its way to a slow disk: a crash would take it back.
    bank.accounts.finalize(this.#slotAt('finalized'));
    // A slot counts as confirmed only when everything in it is on disk, so the announcement waits for the log.
    void this.#intake.durable.then(
      () => {
        this.#durableSlot = Math.max(this.#durableSlot, ended);
        const event = { slot: BigInt(slot), parent: BigInt(ended), root: this.slot('finalized') };
        for (const listener of this.#slotListeners) listener(event);
      },
      () => undefined,
    );
  }

  #slotAt(commitment: Commitment): number {
    const tip = this.#clock.slot;
    if (commitment === 'processed') return tip;
    if (commitment === 'confirmed') return Math.min(tip - 1, this.#durableSlot);
    return Math.min(tip - this.#deps.finalitySlots, this.#durableSlot);
  }

  slot(commitment: Commitment): bigint {
    return BigInt(this.#slotAt(commitment));
  }

  blockHeight(commitment: Commitment): bigint {
    return BigInt(this.#slotAt(commitment) - SLOTS_ABOVE_HEIGHT);
  }

  unixTimestamp(): number {
    return Math.floor(this.#clock.startOf(this.#clock.slot) / 1000);
  }

  latestBlockhash(): { blockhash: string; lastValidBlockHeight: bigint } {
    return this.latestBlockhashAt('processed');
  }

  latestBlockhashAt(commitment: Commitment): { blockhash: string; lastValidBlockHeight: bigint } {
    const slot = this.#slotAt(commitment);
    return {
      blockhash: this.#deps.blockhashes.text(slot),
      lastValidBlockHeight: BigInt(slot - SLOTS_ABOVE_HEIGHT + BLOCKHASH_AGE_SLOTS_MAX),
    };
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.#deps.blockhashes.slotOf(blockhash) !== null;
  }

  blockhashSlot(blockhash: string): bigint | null {
    const slot = this.#deps.blockhashes.slotOf(blockhash);
    return slot === null ? null : BigInt(slot);
  }

  blockhashOf(slot: bigint): string {
    return this.#deps.blockhashes.text(Number(slot));
  }

  account(address: string): Account | null {
    return this.#deps.bank.read(address);
  }

  accountAt(address: string, commitment: Commitment): Account | null {
    const { bank } = this.#deps;
    if (commitment === 'processed' || bank.vm.sysvars.has(address)) return bank.read(address);
    return bank.accounts.at(address, this.#slotAt(commitment));
  }

  programAccounts(program: string, commitment: Commitment): [string, Account][] {
    return this.#deps.bank.accounts.ownedBy(program, this.#slotAt(commitment));
  }

  tokenAccountsOfOwner(owner: string, commitment: Commitment): [string, Account][] {
    return this.#deps.bank.accounts.tokensOfOwner(owner, this.#slotAt(commitment));
  }

  tokenAccountsOfMint(mint: string, commitment: Commitment): [string, Account][] {
    return this.#deps.bank.accounts.tokensOfMint(mint, this.#slotAt(commitment));
  }

  allAccounts(): Iterable<[string, Account]> {
    return this.#deps.bank.accounts.all();
  }

  rentExemptLamports(bytes: number): bigint {
    return this.#deps.bank.vm.rentExemptLamports(bytes);
  }

  submit(wire: Uint8Array, options: { skipPreflight?: boolean } = {}): Promise<SubmitOutcome> {
    return this.#intake.submit(wire, options.skipPreflight ?? false);
  }

  submitMany(wires: Uint8Array[]): Promise<SubmitOutcome[]> {
    return this.#intake.submitMany(wires);
  }

  simulate(
    transaction: WireTransaction,
    options: { sigVerify: boolean; replaceRecentBlockhash: boolean },
  ): SimulateOutcome {
    const { bank } = this.#deps;
    if (!options.replaceRecentBlockhash && !bank.isAlive(transaction))
      return { kind: 'refused', err: 'BlockhashNotFound' };
    if (options.sigVerify && this.#intake.recentStatus(transaction.signature) !== null)
      return { kind: 'refused', err: 'AlreadyProcessed' };
    const resolved = resolveKeys(transaction, (address) => bank.accounts.get(address));
    if ('fault' in resolved) return { kind: 'refused', err: resolved.fault };
    bank.syncClock();
    const simulation = bank.vm.simulate(transaction.bytes, options.sigVerify);
    return {
      kind: 'done',
      simulation,
      accountKeys: resolved.keys,
      fee: hasPlainFee(transaction)
        ? LAMPORTS_PER_SIGNATURE * BigInt(transaction.numRequiredSignatures)
        : simulation.fee(),
      before: (address) => bank.read(address),
    };
  }

  feeFor(message: WireTransaction): bigint | null {
    if (!this.#deps.bank.isAlive(message)) return null;
    if (hasPlainFee(message)) return LAMPORTS_PER_SIGNATURE * BigInt(message.numRequiredSignatures);
    const signatures = new Uint8Array(1 + 64 * message.numRequiredSignatures);
    signatures[0] = message.numRequiredSignatures;
    const wire = Buffer.concat([signatures, message.bytes.subarray(message.messageOffset)]);
    return this.#deps.bank.vm.simulate(wire, false).fee();
  }

  transaction(signature: string): LedgerTransaction | null {
    return this.#deps.journal.transaction(signature);
  }

  status(signature: string, searchHistory: boolean): SignatureStatus | null {
    return this.#intake.recentStatus(signature) ?? (searchHistory ? this.#deps.journal.status(signature) : null);
  }

  transactionsFor(address: string, options: HistoryOptions = {}): LedgerTransaction[] {
    return this.#deps.journal.transactionsFor(address, this.#rangeOf(options));
  }

  listFor(address: string, options: HistoryOptions = {}): ListedTransaction[] {
    return this.#deps.journal.listFor(address, this.#rangeOf(options));
  }

  #rangeOf({ before = null, until = null, limit = 1000, newestSlot }: HistoryOptions): HistoryRange {
    return { before, until, limit, newestSlot: Number(newestSlot ?? this.slot('processed')) };
  }

  blockTransactions(slot: bigint): LedgerTransaction[] {
    return this.#deps.journal.inSlot(Number(slot));
  }

  blockTime(slot: bigint): number | null {
    const first = this.#deps.journal.inSlot(Number(slot))[0];
    if (first !== undefined) return first.blockTime;
    return slot < this.firstSlot() || slot > this.slot('processed')
      ? null
      : Math.floor(this.#clock.startOf(Number(slot)) / 1000);
  }

  firstSlot(): bigint {
    return BigInt(this.#deps.journal.firstSlot() ?? this.#deps.anchor.slot);
  }

  transactionCount(): bigint {
    return BigInt(this.#deps.journal.transactionCount());
  }

  async setAccounts(entries: { address: string; account: Account }[]): Promise<void> {
    const { bank } = this.#deps;
    for (const { address, account } of entries) {
      bank.vm.setAccount(address, account);
      bank.accounts.load(address, account);
    }
    await this.#intake.recordAccounts(entries);
  }

  async importPast(transactions: Iterable<LedgerTransaction> | AsyncIterable<LedgerTransaction>): Promise<void> {
    if (!this.isFresh()) throw new Error('a past can only be imported into a ledger without transactions');
    await this.#deps.journal.recordPast(transactions);
  }

  isFresh(): boolean {
    return this.#deps.journal.transactionCount() === 0;
  }

  async airdrop(to: string, lamports: bigint): Promise<SubmitOutcome> {
    const { faucet } = this.#deps;
    // Two airdrops of one amount to one address in one slot would be the same transaction; a compute limit that
    // counts up keeps them apart.
    this.#airdrops = (this.#airdrops + 1) % 100_000;
    const message = compileMessage({
      feePayer: faucet.address,
      recentBlockhash: this.latestBlockhash().blockhash,
      instructions: [
        setComputeUnitLimit(10_000 + this.#airdrops),
        transferSol({ from: faucet.address, to: asAddress(to), lamports }),
      ],
    });
    return this.submit(encodeTransaction(signTransaction(transactionFromMessage(message), [faucet])));
  }

  onTransaction(listener: (transaction: LedgerTransaction) => void): () => void {
    return this.onExecuted(listener);
  }

  onExecuted(listener: (transaction: LedgerTransaction, written: string[]) => void): () => void {
    return this.#intake.onExecuted(listener);
  }

  onSlot(listener: (slot: { slot: bigint; parent: bigint; root: bigint }) => void): () => void {
    this.#slotListeners.add(listener);
    return () => this.#slotListeners.delete(listener);
  }

  async advanceSlots(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      this.#clock.advance(1);
      await this.#intake.durable;
    }
  }

  async advanceTo(slot: number): Promise<void> {
    this.#clock.jump(slot);
    await this.#intake.durable;
  }

  replay(transactions: LedgerTransaction[]): Promise<void> {
    return this.#intake.recordReplayed(transactions);
  }

  async close(): Promise<void> {
    this.#clock.stop();
    await this.#intake.close();
    await this.#deps.journal.close();
  }
}
