import { type Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import { Keypair } from '@hunter/solana/keypair';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { RpcError, RpcTransportError } from '@hunter/solana/rpc-error';
import type { LogsNotice, RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import type {
  AccountInfo,
  ChainTransaction,
  SignatureRow,
  SignatureStatus,
  TransactionTokenBalance,
  WithContext,
} from '@hunter/solana/rpc-replies';
import { decodeTransferSol } from '@hunter/solana/system-program';
import { decodeTransaction, hasValidSignatures, transactionId } from '@hunter/solana/transaction';
import { randomBytes } from 'node:crypto';

const FINAL_AFTER_SLOTS = 8n;
const BLOCKHASH_VALID_BLOCKS = 150n;
const FEE = 5_000n;
const ACCOUNT_RENT = 2_039_280n;

type TokenMove = {
  keys: Address[];
  pre: TransactionTokenBalance[];
  post: TransactionTokenBalance[];
  signers?: number;
};
type Landed = { transaction: ChainTransaction; mentions: Set<Address> };

/**
 * A chain in memory with a slot that only moves when the test says so, and with the faults of a real node: sends that
 * are lost, answers that are lost, and statuses that lag. It runs System transfers and is told about token movements.
 */
export class ChainInMemory {
  slot = 1_000n;
  lamports = new Map<Address, bigint>();
  tokens = new Map<Address, { owner: Address; mint: Address; amount: bigint }>();
  /** Tokens that can be asked for; with the extensions of their mint as a node prints them. */
  mints = new Map<Address, { decimals: number; owner: Address; extensions?: unknown[] }>();
  landed: Landed[] = [];
  /** Sends vanish without a trace. */
  losesSends = false;
  /** Sends land, and the answer never arrives. */
  losesAnswers = false;
  sends = 0;
  /** Of a version that nobody here can read. */
  readonly unreadable = new Set<string>();
  /** Listed, and not shown yet. */
  readonly hidden = new Set<string>();
  /** Shown in another shape, as by a node that is out of order. */
  readonly misshown = new Set<string>();
  /** How often it was asked, for tests that wait until somebody has looked again. */
  blockhashesAsked = 0;
  statusesAsked = 0;
  /** Whose history was asked for. */
  historiesAsked: Address[] = [];
  /** None of them is answered before. */
  historiesHeld: Promise<void> = Promise.resolve();
  readonly #blockhashes = new Map<string, bigint>();
  /** While set, everybody gets this blockhash, as within one slot. */
  heldBlockhash: string | null = null;
  readonly #listeners = new Set<{ address: Address; notify: (notice: LogsNotice) => void }>();
  readonly #reconnectListeners = new Set<() => void>();
  #connected = true;

  advance(slots: number | bigint): void {
    this.slot += BigInt(slots);
  }

  airdrop(to: Address, lamports: bigint): string {
    const payer = anAddress();
    this.lamports.set(payer, lamports + FEE);
    return this.#apply(randomSignature(), payer, [{ from: payer, to, lamports }], new Uint8Array());
  }

  /** The owner of a wallet uses its key elsewhere. */
  spendOutside(from: Address, to: Address, lamports: bigint): string {
    return this.#apply(randomSignature(), from, [{ from, to, lamports }], new Uint8Array());
  }

  receiveTokens(account: Address, owner: Address, mint: Address, amount: bigint, isOwnerSigning = false): string {
    const payer = anAddress();
    this.lamports.set(payer, 10_000_000n);
    const row = (held: bigint): TransactionTokenBalance => ({
      accountIndex: 1,
      mint,
      owner,
      tokenProgram: null,
      amount: held,
      decimals: 6,
    });
    const before = this.tokens.get(account)?.amount;
    const signature = this.#apply(randomSignature(), payer, [], new Uint8Array(), {
      keys: before === undefined || isOwnerSigning ? [account, owner] : [account],
      pre: before === undefined ? [] : [row(before)],
      post: [row((before ?? 0n) + amount)],
      signers: isOwnerSigning ? 3 : 1,
    });
    this.tokens.set(account, { owner, mint, amount: (before ?? 0n) + amount });
    return signature;
  }

  /** The owner of a wallet uses its key elsewhere. */
  sendTokensOutside(account: Address, amount: bigint): string {
    const { owner, mint } = this.tokens.get(account)!;
    return this.receiveTokens(account, owner, mint, -amount, true);
  }

  /** The permanent delegate of a mint takes its tokens, and the wallet that has them signs nothing. */
  takeTokens(account: Address, amount: bigint): string {
    const { owner, mint } = this.tokens.get(account)!;
    return this.receiveTokens(account, owner, mint, -amount);
  }

  /** A fork wins that does not contain the transaction. */
  forkAway(signature: string): void {
    const gone = this.landed.find((one) => one.transaction.signature === signature)!;
    const { accountKeys, preBalances, postBalances } = gone.transaction;
    accountKeys.forEach((key, index) => {
      this.lamports.set(key, (this.lamports.get(key) ?? 0n) + preBalances[index]! - postBalances[index]!);
    });
    this.landed = this.landed.filter((one) => one !== gone);
  }

  disconnect(): void {
    this.#connected = false;
  }

  reconnect(): void {
    this.#connected = true;
    for (const listener of this.#reconnectListeners) listener();
  }

  get rpc(): RpcClient {
    const methods = {
      getEpochInfo: async () => ({ slot: this.slot - FINAL_AFTER_SLOTS, blockHeight: this.slot - FINAL_AFTER_SLOTS }),
      getSlot: async () => this.slot,
      getLatestBlockhash: async () => {
        this.blockhashesAsked += 1;
        const blockhash = this.heldBlockhash ?? encodeBase58(randomBytes(32));
        const lastValidBlockHeight = this.slot + BLOCKHASH_VALID_BLOCKS;
        this.#blockhashes.set(blockhash, lastValidBlockHeight);
        return { blockhash, lastValidBlockHeight, contextSlot: this.slot };
      },
      getBalance: async (address: Address) => ({
        contextSlot: this.slot,
        value: this.lamports.get(address) ?? 0n,
      }),
      getAccountInfo: async (address: Address): Promise<WithContext<AccountInfo | null>> => {
        return { contextSlot: this.slot, value: this.#account(address) };
      },
      getParsedAccountInfo: async (address: Address) => {
        const mint = this.mints.get(address);
        const info = mint && { decimals: mint.decimals, extensions: mint.extensions };
        const parsed = info && { program: 'spl-token', type: 'mint', info };
        const value = mint ? { lamports: 1n, owner: mint.owner, executable: false, parsed } : null;
        return { contextSlot: this.slot, value };
      },
      getMultipleAccounts: async (addresses: readonly Address[]) => ({
        contextSlot: this.slot,
        value: addresses.map((address) => this.#account(address)),
      }),
      getTokenAccountsByOwner: async (owner: Address, filter: { programId?: Address }) => ({
        contextSlot: this.slot,
        value: [...this.tokens]
          .filter(([, held]) => held.owner === owner && filter.programId === TOKEN_PROGRAM)
          .map(([address, held]) => ({ address, ...held })),
      }),
      getSignaturesForAddress: async (
        address: Address,
        { before, until, limit = 1000 }: { before?: string; until?: string; limit?: number } = {},
      ): Promise<SignatureRow[]> => {
        this.historiesAsked.push(address);
        await this.historiesHeld;
        const rows = this.landed.filter((one) => one.mentions.has(address)).reverse();
        const start = before === undefined ? 0 : rows.findIndex((one) => one.transaction.signature === before) + 1;
        const found = rows.findIndex((one) => one.transaction.signature === until);
        return rows
          .slice(start, found === -1 ? undefined : found)
          .slice(0, limit)
          .map((one) => this.#row(one));
      },
      getTransactions: async (signatures: readonly string[], commitment = 'confirmed') => {
        if (signatures.some((signature) => this.unreadable.has(signature))) {
          throw new RpcError('getTransaction', -32015, 'Transaction version (7) is not supported', null);
        }
        if (signatures.some((signature) => this.misshown.has(signature))) {
          throw new RpcTransportError('malformed', 'the node’s reply has no valid transaction meta');
        }
        return signatures.map((signature) => (this.hidden.has(signature) ? null : this.#find(signature, commitment)));
      },
      getTransaction: async (signature: string, commitment = 'confirmed') => this.#find(signature, commitment),
      getSignatureStatuses: async (signatures: readonly string[]) => {
        this.statusesAsked += 1;
        return { contextSlot: this.slot, value: signatures.map((signature) => this.#status(signature)) };
      },
      sendTransaction: async (wire: Uint8Array) => this.#send(wire),
    };
    return methods as unknown as RpcClient;
  }

  get subscriptions(): RpcSubscriptions {
    const methods = {
      logs: (filter: { mentions: [Address] }, _commitment: string, notify: (notice: LogsNotice) => void) => {
        const listener = { address: filter.mentions[0], notify };
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      onReconnect: (listener: () => void) => {
        this.#reconnectListeners.add(listener);
        return () => this.#reconnectListeners.delete(listener);
      },
    };
    return methods as unknown as RpcSubscriptions;
  }

  #account(address: Address): AccountInfo | null {
    const isToken = this.tokens.has(address);
    const isMint = this.mints.has(address);
    const lamports = this.lamports.get(address) ?? (isToken || isMint ? ACCOUNT_RENT : 0n);
    if (lamports === 0n) return null;
    const owner = this.mints.get(address)?.owner ?? (isToken ? TOKEN_PROGRAM : SYSTEM_PROGRAM);
    const data = new Uint8Array(isToken ? 165 : isMint ? 82 : 0);
    if (isMint) data[44] = this.mints.get(address)!.decimals;
    return { lamports, owner, data, executable: false };
  }

  #send(wire: Uint8Array): string {
    this.sends += 1;
    const transaction = decodeTransaction(wire);
    const signature = transactionId(transaction)!;
    if (this.losesSends) return signature;
    const { message } = transaction;
    const valid = (this.#blockhashes.get(message.recentBlockhash) ?? 0n) >= this.slot;
    if (hasValidSignatures(transaction) && valid && this.#find(signature, 'processed') === null) {
      const transfers: { from: Address; to: Address; lamports: bigint }[] = [];
      let token: TokenMove | undefined;
      for (const { programIndex, accountIndexes, data } of message.instructions) {
        const [first, second, third, fourth] = accountIndexes.map((index) => message.staticAccounts[index]!);
        const program = message.staticAccounts[programIndex];
        if (program === SYSTEM_PROGRAM) {
          transfers.push({ from: first!, to: second!, lamports: decodeTransferSol(data)!.lamports });
        } else if (program === ASSOCIATED_TOKEN_PROGRAM) {
          if (this.tokens.has(second!)) continue;
          // What is there already is not paid again.
          const missing = ACCOUNT_RENT - (this.lamports.get(second!) ?? 0n);
          if (missing > 0n) transfers.push({ from: first!, to: second!, lamports: missing });
          this.tokens.set(second!, { owner: third!, mint: fourth!, amount: 0n });
        } else token = this.#moveTokens(first!, third!, Buffer.from(data).readBigUInt64LE(1));
      }
      this.#apply(signature, message.staticAccounts[0]!, transfers, wire, token);
    }
    if (this.losesAnswers) throw new Error('the connection to the node failed');
    return signature;
  }

  /** Accounts that the transaction makes have no balance before it. */
  #moveTokens(source: Address, destination: Address, amount: bigint): TokenMove {
    const [from, to] = [this.tokens.get(source)!, this.tokens.get(destination)!];
    const isNew = to.amount === 0n;
    const row = (accountIndex: number, { mint, owner }: typeof from, held: bigint): TransactionTokenBalance => ({
      accountIndex,
      mint,
      owner,
      tokenProgram: null,
      amount: held,
      decimals: 6,
    });
    const pre = [row(1, from, from.amount), ...(isNew ? [] : [row(2, to, to.amount)])];
    from.amount -= amount;
    to.amount += amount;
    return {
      keys: [source, destination, ...(isNew ? [to.owner] : [])],
      pre,
      post: [row(1, from, from.amount), row(2, to, to.amount)],
    };
  }

  #apply(
    signature: string,
    payer: Address,
    transfers: { from: Address; to: Address; lamports: bigint }[],
    wire: Uint8Array,
    token?: TokenMove,
  ): string {
    const has = (address: Address) => this.lamports.get(address) ?? 0n;
    if (has(payer) < FEE) return signature;
    const keys = [...new Set([payer, ...(token?.keys ?? []), ...transfers.flatMap(({ from, to }) => [from, to])])];
    const preBalances = keys.map(has);
    this.lamports.set(payer, has(payer) - FEE);
    const failed = transfers.some(({ from, lamports }) => has(from) < lamports);
    if (!failed) {
      for (const { from, to, lamports } of transfers) {
        this.lamports.set(from, has(from) - lamports);
        this.lamports.set(to, has(to) + lamports);
      }
    }
    this.landed.push({
      mentions: new Set(keys),
      transaction: {
        signature,
        slot: this.slot,
        blockTime: 1_700_000_000 + Number(this.slot),
        err: failed ? { InstructionError: [0, { Custom: 1 }] } : null,
        fee: FEE,
        accountKeys: keys,
        requiredSignatures: token?.signers ?? 1,
        preBalances,
        postBalances: keys.map(has),
        preTokenBalances: token?.pre ?? [],
        postTokenBalances: token?.post ?? [],
        logMessages: [],
        wire,
      },
    });
    if (this.#connected) {
      for (const { address, notify } of this.#listeners) {
        if (keys.includes(address)) notify({ contextSlot: this.slot, signature, err: null, logs: [] });
      }
    }
    return signature;
  }

  #commitment({ slot }: ChainTransaction): 'processed' | 'confirmed' | 'finalized' {
    if (this.slot - slot >= FINAL_AFTER_SLOTS) return 'finalized';
    return 'confirmed';
  }

  #row({ transaction }: Landed): SignatureRow {
    const { signature, slot, err, blockTime } = transaction;
    return { signature, slot, err, blockTime, confirmationStatus: this.#commitment(transaction) };
  }

  #find(signature: string, commitment: string): ChainTransaction | null {
    const transaction = this.landed.find((one) => one.transaction.signature === signature)?.transaction ?? null;
    if (transaction === null) return null;
    return commitment === 'finalized' && this.#commitment(transaction) !== 'finalized' ? null : transaction;
  }

  #status(signature: string): SignatureStatus | null {
    const transaction = this.#find(signature, 'processed');
    if (transaction === null) return null;
    return {
      slot: transaction.slot,
      confirmations: null,
      err: transaction.err,
      confirmationStatus: this.#commitment(transaction),
    };
  }
}

export function anAddress(): Address {
  return Keypair.generate().address;
}

function randomSignature(): string {
  return encodeBase58(randomBytes(64));
}
