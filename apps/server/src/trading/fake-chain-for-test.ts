// A chain and a venue in memory, on a clock that jumps, with every fault a network can have. All choices come from one seeded
// source, so that a run can be repeated.

import { address } from '@hunter/solana/address';
import { unitsOut } from '@hunter/domain/market/swap-maths';
import { lamports } from '@hunter/domain/numbers/lamports';
import { createHash } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { Keypair } from '@hunter/solana/keypair';
import type { Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import { compileMessage } from '@hunter/solana/message';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { ChainTransaction, SignatureStatus, WithContext } from '@hunter/solana/rpc-replies';
import { transferSol } from '@hunter/solana/system-program';
import { decodeTransaction, encodeTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import type { ChainReader, Signing, SwapSigner, SwapToSign } from './engine-ports.ts';
import type { TokenFact, TokenFacts } from '../market/token-facts.ts';
import type { ExecuteResult } from '../venue/execute-result.ts';
import type { Venue, VenueQuote } from '../venue/venue.ts';
import type { VirtualClock } from '../platform/clock-for-test.ts';

export const FAKE_MINT = address('So11111111111111111111111111111111111111113');
export const SLOT_MS = 400;
const VALID_SLOTS = 12;
const FINAL_SLOTS = 6;
const RENT = 2_039_280n;
const FEE = 10_000n;

export type Random = () => number;

export function seededRandom(seed: number): Random {
  const random = new SeededRandom(seed);
  return () => random.next();
}

/** Chances of each fault, from 0 to 1. */
export type Faults = {
  requestLost: number;
  answerLost: number;
  late: number;
  refused: number;
  failsOnChain: number;
  statusLost: number;
  statusBehind: number;
  transactionHidden: number;
  /** A fork takes a confirmed transaction back. */
  forked: number;
};

export const NO_FAULTS: Faults = {
  requestLost: 0,
  answerLost: 0,
  late: 0,
  refused: 0,
  failsOnChain: 0,
  statusLost: 0,
  statusBehind: 0,
  transactionHidden: 0,
  forked: 0,
};

type Swap = { taker: string; side: 'buy' | 'sell'; lamports: bigint; tokens: bigint; lastValidSlot: bigint };
type Wallet = { lamports: bigint; tokens: bigint | null };
type Landed = { slot: bigint; transaction: ChainTransaction; message: string; before: Wallet };

type ForkOptions = { landAgain?: number; lastFails?: boolean; takesOne?: boolean };

export class FakeChain implements ChainReader, Venue, SwapSigner, TokenFacts {
  readonly #random: Random;
  faults: Faults;
  readonly wallets = new Map<string, Wallet>();
  /** Wallets whose transactions a fork may take back. */
  readonly forkable = new Set<string>();
  readonly #swaps = new Map<string, Swap>();
  readonly landed = new Map<string, Landed>();
  /** What lands in this slot or later stays confirmed; null where everything becomes final in time. */
  unfinalFrom: bigint | null = null;
  /** Signatures that are on their way. */
  readonly #late = new Set<string>();
  readonly #clock: VirtualClock;
  readonly #pool = Keypair.fromSeed(new Uint8Array(32).fill(7)).address;
  #nonce = 0;
  /** Lamports per thousand token base units; it wanders. */
  #price = 2_000n;

  constructor(clock: VirtualClock, random: Random, faults: Faults) {
    this.#clock = clock;
    this.#random = random;
    this.faults = faults;
  }

  get slot(): bigint {
    return 1_000n + BigInt(Math.floor(this.#clock.elapsedMs() / SLOT_MS));
  }

  readonly profile = { feeBps: 50, feeReserveLamports: lamports(FEE) };

  async load(mints: readonly Address[]): Promise<Map<Address, TokenFact>> {
    const fact = {
      mint: FAKE_MINT,
      symbol: 'FAKE',
      name: 'Fake',
      decimals: 6,
      logoUrl: '',
      tokenProgram: TOKEN_PROGRAM,
    };
    return new Map(mints.includes(FAKE_MINT) ? [[FAKE_MINT, fact]] : []);
  }

  async quote(input: Parameters<Venue['quote']>[0]): Promise<VenueQuote> {
    if (this.#random() < this.faults.requestLost / 4) throw new AppError('UNAVAILABLE');
    const outAmount = this.#outAmount(input.side, input.amount);
    const swap = input.taker ? this.#compile(input.taker, input.side, input.amount, outAmount) : null;
    return {
      requestId: swap?.key ?? 'quote',
      inAmount: input.amount,
      outAmount: unitsOut(input.side, outAmount),
      impactPercent: 0.5,
      feeBps: 50,
      networkFeeLamports: lamports(FEE),
      rentLamports: lamports(0n),
      wire: swap?.wire ?? null,
      lastValidBlockHeight: this.slot + BigInt(VALID_SLOTS),
      poolCertificate: null,
      expiresAtMs: null,
    };
  }

  async execute(input: Parameters<Venue['execute']>[0]): Promise<ExecuteResult> {
    return this.#submit(input.wire);
  }

  async signSwaps(requests: readonly SwapToSign[]): Promise<Signing[]> {
    return requests.map(({ wire }) => {
      const transaction = decodeTransaction(wire);
      const bytes = createHash('sha512').update(transaction.messageBytes).digest();
      transaction.signatures[0] = bytes;
      return { ok: true, wire: encodeTransaction(transaction), signature: encodeBase58(bytes) };
    });
  }

  async getEpochInfo(commitment: 'processed' | 'confirmed' | 'finalized' = 'confirmed') {
    if (this.#random() < this.faults.statusLost) throw new Error('lost');
    const slot = commitment === 'finalized' ? this.slot - BigInt(FINAL_SLOTS) : this.slot;
    return { slot, blockHeight: slot };
  }

  async getSignatureStatuses(
    signatures: readonly string[],
    options: { searchTransactionHistory?: boolean } = {},
  ): Promise<WithContext<(SignatureStatus | null)[]>> {
    if (this.#random() < this.faults.statusLost) throw new Error('lost');
    const { slot } = this;
    if (this.#random() < this.faults.statusBehind) {
      // A node far behind knows nothing, and says honestly how far behind it is.
      return { contextSlot: slot - BigInt(VALID_SLOTS + 20), value: signatures.map(() => null) };
    }
    const forgets = options.searchTransactionHistory !== true && this.#random() < this.faults.statusBehind;
    return {
      contextSlot: slot,
      value: signatures.map((signature) => (forgets ? null : this.#status(signature, slot))),
    };
  }

  async getTransactions(signatures: readonly string[]): Promise<(ChainTransaction | null)[]> {
    if (this.#random() < this.faults.statusLost) throw new Error('lost');
    return signatures.map((signature) =>
      this.#random() < this.faults.transactionHidden ? null : (this.landed.get(signature)?.transaction ?? null),
    );
  }

  #status(signature: string, slot: bigint): SignatureStatus | null {
    const landed = this.landed.get(signature);
    if (!landed) return null;
    const confirmed = slot - landed.slot >= 1n ? 'confirmed' : 'processed';
    const confirmationStatus = this.#isFinal(landed, slot) ? 'finalized' : confirmed;
    return { slot: landed.slot, confirmations: null, err: landed.transaction.err, confirmationStatus };
  }

  #isFinal(landed: Landed, slot: bigint): boolean {
    if (this.unfinalFrom !== null && landed.slot >= this.unfinalFrom) return false;
    return slot - landed.slot >= BigInt(FINAL_SLOTS);
  }

  #outAmount(side: 'buy' | 'sell', amount: bigint): bigint {
    const drift = BigInt(Math.floor(this.#random() * 5) - 2);
    this.#price = this.#price + drift < 100n ? 100n : this.#price + drift;
    return side === 'buy' ? (amount * 1000n) / this.#price : (amount * this.#price) / 1000n;
  }

  #compile(
    taker: string,
    side: 'buy' | 'sell',
    inAmount: bigint,
    outAmount: bigint,
  ): { wire: Uint8Array; key: string } {
    this.#nonce += 1;
    const lamports = side === 'buy' ? inAmount : outAmount;
    const message = compileMessage({
      feePayer: taker as Address,
      recentBlockhash: encodeBase58(createHash('sha256').update(String(this.#nonce)).digest()),
      instructions: [
        transferSol({ from: taker as Address, to: this.#pool, lamports }),
        transferSol({ from: this.#pool, to: taker as Address, lamports: 1n }),
      ],
    });
    const transaction = transactionFromMessage(message);
    const key = Buffer.from(transaction.messageBytes).toString('base64');
    const tokens = side === 'buy' ? outAmount : inAmount;
    this.#swaps.set(key, { taker, side, lamports, tokens, lastValidSlot: this.slot + BigInt(VALID_SLOTS) });
    return { wire: encodeTransaction(transaction), key };
  }

  /** Throws where the answer is lost; what happened then has happened or not, and nobody is told. */
  #submit(wire: Uint8Array): ExecuteResult {
    if (this.#random() < this.faults.requestLost) throw new AppError('UNAVAILABLE');
    const transaction = decodeTransaction(wire);
    const message = Buffer.from(transaction.messageBytes).toString('base64');
    const signature = encodeBase58(transaction.signatures[0]!);
    const known = this.landed.get(signature);
    const success: ExecuteResult = { code: 'SUCCESS', error: null };
    if (known) return known.transaction.err === null ? success : { code: 'FAILED_ON_CHAIN', error: 'failed' };
    const pending = this.#late.has(signature);
    const swap = this.#swaps.get(message)!;
    if (this.slot > swap.lastValidSlot) return { code: 'QUOTE_EXPIRED', error: 'Quote expired' };
    if (!pending && this.#random() < this.faults.refused) return { code: 'PRICE_MOVED', error: 'Price moved' };
    if (!pending && this.#random() < this.faults.late) {
      // Co-signed and on its way, but it lands later, perhaps in the very last slot in which it can.
      const left = Number(swap.lastValidSlot - this.slot);
      const inSlots = Math.floor(this.#random() * (left + 1));
      const intoSlotMs = this.#clock.elapsedMs() % SLOT_MS;
      this.#late.add(signature);
      void this.#clock
        .pause(Math.max(0, inSlots * SLOT_MS - intoSlotMs))
        .then(() => this.#land(message, signature, wire));
      throw new AppError('UNAVAILABLE');
    }
    if (!pending) this.#land(message, signature, wire);
    if (this.#random() < this.faults.answerLost) throw new AppError('UNAVAILABLE');
    return success;
  }

  /**
   * A fork takes a transaction back, and with it all later ones of its wallet. The first of them may land again on the other fork,
   * where the last of those may fail, or all but the very first.
   */
  fork(signature: string, { landAgain = 0, lastFails = false, takesOne = false }: ForkOptions = {}): void {
    const first = this.landed.get(signature);
    if (!first || this.#isFinal(first, this.slot)) return;
    const { taker } = this.#swaps.get(first.message)!;
    const all = [...this.landed];
    const taken = all
      .slice(all.findIndex(([one]) => one === signature))
      .filter(([, { message }]) => this.#swaps.get(message)!.taker === taker);
    for (const [one] of taken) this.landed.delete(one);
    this.wallets.set(taker, { ...first.before });
    const again = takesOne ? taken.slice(1) : taken.slice(0, landAgain);
    again.forEach(([one, { message, transaction }], index) => {
      if (this.slot > this.#swaps.get(message)!.lastValidSlot) return;
      this.#land(message, one, transaction.wire, lastFails && index === landAgain - 1);
    });
  }

  #mayFork(signature: string, taker: string): void {
    if (!this.forkable.has(taker) || this.#random() >= this.faults.forked) return;
    const inSlots = 1 + Math.floor(this.#random() * (FINAL_SLOTS - 1));
    const landAgain = Math.floor(this.#random() * 3);
    const lastFails = this.#random() < 0.5;
    void this.#clock.pause(inSlots * SLOT_MS).then(() => this.fork(signature, { landAgain, lastFails }));
  }

  #land(message: string, signature: string, wire: Uint8Array, mustFail = false): void {
    this.#late.delete(signature);
    if (this.landed.has(signature)) return;
    const swap = this.#swaps.get(message)!;
    const wallet = this.wallets.get(swap.taker)!;
    const creates = swap.side === 'buy' && wallet.tokens === null;
    const rent = creates ? RENT : 0n;
    const out = swap.side === 'buy' ? swap.lamports + rent : 0n;
    const fails =
      mustFail ||
      this.#random() < this.faults.failsOnChain ||
      wallet.lamports < out + FEE ||
      (swap.side === 'sell' && (wallet.tokens ?? 0n) < swap.tokens);
    const before = { ...wallet };
    wallet.lamports -= FEE;
    if (!fails) {
      wallet.lamports += swap.side === 'buy' ? -out : swap.lamports;
      wallet.tokens = (wallet.tokens ?? 0n) + (swap.side === 'buy' ? swap.tokens : -swap.tokens);
    }
    const row = (amount: bigint | null) =>
      amount === null
        ? []
        : [
            {
              accountIndex: 2,
              mint: FAKE_MINT,
              owner: swap.taker as Address,
              tokenProgram: TOKEN_PROGRAM,
              amount,
              decimals: 6,
            },
          ];
    const hadAccount = before.tokens !== null;
    const hasAccount = wallet.tokens !== null;
    this.#mayFork(signature, swap.taker);
    this.landed.set(signature, {
      message,
      before,
      slot: this.slot,
      transaction: {
        signature,
        slot: this.slot,
        blockTime: Math.floor(this.#clock.nowMs() / 1000),
        err: fails ? { InstructionError: [0, 'Custom'] } : null,
        fee: FEE,
        accountKeys: [swap.taker as Address, this.#pool, 'So11111111111111111111111111111111111111114' as Address],
        requiredSignatures: 2,
        preBalances: [before.lamports, 0n, hadAccount ? RENT : 0n],
        postBalances: [wallet.lamports, 0n, hasAccount ? RENT : 0n],
        preTokenBalances: row(before.tokens),
        postTokenBalances: row(wallet.tokens),
        logMessages: [],
        wire,
      },
    });
  }
}
