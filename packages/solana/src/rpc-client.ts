import type { Address } from './address.ts';
import type {
  AccountInfo,
  ChainTransaction,
  Commitment,
  ParsedAccountInfo,
  SignatureRow,
  SignatureStatus,
  TokenAccount,
  WithContext,
} from './rpc-replies.ts';
import {
  readAccount,
  readContext,
  readInteger,
  readList,
  readObject,
  readParsedAccount,
  readSignatureRow,
  readSignatureStatus,
  readText,
  readTokenAccount,
  readTransaction,
} from './rpc-reply-readers.ts';
import { type RpcCall, type RpcOutcome, RpcTransport } from './rpc-transport.ts';

// Limits of public nodes; longer lists are cut into several calls.
const MULTIPLE_ACCOUNTS_MAX = 100;
const SIGNATURE_STATUSES_MAX = 256;
/** A hundred addresses are 4.8 kB, and a node refuses requests above 50. */
const MULTIPLE_ACCOUNTS_PER_REQUEST = 10;

export type ProgramAccountsFilter = { dataSize: number } | { memcmp: { offset: number; bytes: string } };

/**
 * The Solana calls the server makes, typed. Refusals of the node throw `RpcError`, missing or unusable answers
 * `RpcTransportError`. Nothing is retried here.
 */
export class RpcClient {
  readonly #transport: RpcTransport;

  constructor(options: { url: string; timeoutMs?: number; batchMax?: number }) {
    this.#transport = new RpcTransport(options);
  }

  close(): void {
    this.#transport.close();
  }

  call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#transport.call(method, params);
  }

  batch(calls: readonly RpcCall[]): Promise<RpcOutcome[]> {
    return this.#transport.batch(calls);
  }

  /** All of them or none: throws the first refusal. */
  async #callTogether(calls: readonly RpcCall[]): Promise<unknown[]> {
    const [only] = calls;
    if (only && calls.length === 1) return [await this.call(only.method, only.params)];
    return (await this.batch(calls)).map((outcome) => {
      if (!outcome.ok) throw outcome.error;
      return outcome.result;
    });
  }

  async getSlot(commitment: Commitment = 'confirmed'): Promise<bigint> {
    return readInteger(await this.call('getSlot', [{ commitment }]), 'slot');
  }

  async getGenesisHash(): Promise<string> {
    return readText(await this.call('getGenesisHash'), 'genesis hash');
  }

  /** Slot and block height of one and the same bank, which proving an expiry needs. */
  async getEpochInfo(commitment: Commitment = 'confirmed'): Promise<{ slot: bigint; blockHeight: bigint }> {
    const info = readObject(await this.call('getEpochInfo', [{ commitment }]), 'epoch info');
    return { slot: readInteger(info.absoluteSlot, 'slot'), blockHeight: readInteger(info.blockHeight, 'block height') };
  }

  async getLatestBlockhash(
    commitment: Commitment = 'confirmed',
  ): Promise<{ blockhash: string; lastValidBlockHeight: bigint; contextSlot: bigint }> {
    const reply = readContext(await this.call('getLatestBlockhash', [{ commitment }]), (value) => {
      const latest = readObject(value, 'blockhash');
      return {
        blockhash: readText(latest.blockhash, 'blockhash'),
        lastValidBlockHeight: readInteger(latest.lastValidBlockHeight, 'last valid block height'),
      };
    });
    return { ...reply.value, contextSlot: reply.contextSlot };
  }

  async getBalance(address: Address, commitment: Commitment = 'confirmed'): Promise<WithContext<bigint>> {
    const reply = await this.call('getBalance', [address, { commitment }]);
    return readContext(reply, (value) => readInteger(value, 'balance'));
  }

  async getAccountInfo(
    address: Address,
    commitment: Commitment = 'confirmed',
  ): Promise<WithContext<AccountInfo | null>> {
    return readContext(await this.call('getAccountInfo', [address, { commitment, encoding: 'base64' }]), readAccount);
  }

  async getParsedAccountInfo(address: Address): Promise<WithContext<ParsedAccountInfo | null>> {
    const reply = await this.call('getAccountInfo', [address, { commitment: 'confirmed', encoding: 'jsonParsed' }]);
    return readContext(reply, readParsedAccount);
  }

  /** `contextSlot` is the oldest of the slots where the list took several calls. */
  async getMultipleAccounts(
    addresses: readonly Address[],
    commitment: Commitment = 'confirmed',
  ): Promise<WithContext<(AccountInfo | null)[]>> {
    const calls = chunked(addresses, MULTIPLE_ACCOUNTS_MAX).map((chunk) => ({
      method: 'getMultipleAccounts',
      params: [chunk, { commitment, encoding: 'base64' }],
    }));
    const requests = chunked(calls, MULTIPLE_ACCOUNTS_PER_REQUEST).map((part) => this.#callTogether(part));
    const replies = (await Promise.all(requests)).flat();
    return joinContexts(
      replies.map((reply) => readContext(reply, (value) => readList(value, 'accounts').map(readAccount))),
    );
  }

  async getTokenAccountsByOwner(
    owner: Address,
    filter: { mint: Address } | { programId: Address },
    commitment: Commitment = 'confirmed',
  ): Promise<WithContext<TokenAccount[]>> {
    const reply = await this.call('getTokenAccountsByOwner', [owner, filter, { commitment, encoding: 'jsonParsed' }]);
    return readContext(reply, (value) =>
      readList(value, 'token accounts').map((entry) => {
        const row = readObject(entry, 'token account');
        return readTokenAccount(readText(row.pubkey, 'pubkey') as Address, row.account);
      }),
    );
  }

  async getSignatureStatuses(
    signatures: readonly string[],
    options: { searchTransactionHistory?: boolean } = {},
  ): Promise<WithContext<(SignatureStatus | null)[]>> {
    const searchTransactionHistory = options.searchTransactionHistory ?? false;
    const replies = await Promise.all(
      chunked(signatures, SIGNATURE_STATUSES_MAX).map((chunk) =>
        this.call('getSignatureStatuses', [chunk, { searchTransactionHistory }]),
      ),
    );
    return joinContexts(
      replies.map((reply) => readContext(reply, (value) => readList(value, 'statuses').map(readSignatureStatus))),
    );
  }

  /** Newest first; `until` is exclusive, `before` too. */
  async getSignaturesForAddress(
    address: Address,
    options: { before?: string; until?: string; limit?: number; commitment?: Exclude<Commitment, 'processed'> } = {},
  ): Promise<SignatureRow[]> {
    const reply = await this.call('getSignaturesForAddress', [address, { commitment: 'confirmed', ...options }]);
    return readList(reply, 'signatures').map(readSignatureRow);
  }

  async getTransaction(
    signature: string,
    commitment: Exclude<Commitment, 'processed'> = 'confirmed',
  ): Promise<ChainTransaction | null> {
    const { method, params } = transactionCall(signature, commitment);
    return readTransaction(await this.call(method, params));
  }

  /** In the signatures' order; null where the node does not know the transaction at that commitment. */
  async getTransactions(
    signatures: readonly string[],
    commitment: Exclude<Commitment, 'processed'> = 'confirmed',
  ): Promise<(ChainTransaction | null)[]> {
    const calls = signatures.map((signature) => transactionCall(signature, commitment));
    return (await this.#callTogether(calls)).map(readTransaction);
  }

  /** Sends identical bytes as often as it is called; the node must not resend on its own, we do. */
  async sendTransaction(wire: Uint8Array, options: { skipPreflight?: boolean } = {}): Promise<string> {
    const settings = { encoding: 'base64', preflightCommitment: 'confirmed', maxRetries: 0, ...options };
    return readText(await this.call('sendTransaction', [Buffer.from(wire).toString('base64'), settings]), 'signature');
  }

  async requestAirdrop(address: Address, lamports: bigint): Promise<string> {
    const amount = Number(lamports);
    if (!Number.isSafeInteger(amount)) throw new RangeError('an airdrop must stay below 2^53 lamports');
    return readText(await this.call('requestAirdrop', [address, amount]), 'signature');
  }

  async getProgramAccounts(
    program: Address,
    options: {
      filters?: readonly ProgramAccountsFilter[];
      dataSlice?: { offset: number; length: number };
      commitment?: Commitment;
    } = {},
  ): Promise<WithContext<{ address: Address; account: AccountInfo }[]>> {
    const settings = { commitment: 'confirmed', encoding: 'base64', withContext: true, ...options };
    return readContext(await this.call('getProgramAccounts', [program, settings]), (value) =>
      readList(value, 'program accounts').map((entry) => {
        const row = readObject(entry, 'program account');
        const account = readAccount(row.account);
        if (account === null) throw new TypeError('a program account without content');
        return { address: readText(row.pubkey, 'pubkey') as Address, account };
      }),
    );
  }
}

function transactionCall(signature: string, commitment: Commitment): RpcCall {
  return {
    method: 'getTransaction',
    params: [signature, { commitment, encoding: 'base64', maxSupportedTransactionVersion: 1 }],
  };
}

function chunked<Entry>(list: readonly Entry[], size: number): Entry[][] {
  const chunks: Entry[][] = [];
  for (let start = 0; start < list.length; start += size) chunks.push(list.slice(start, start + size));
  return chunks;
}

function joinContexts<Entry>(parts: readonly WithContext<Entry[]>[]): WithContext<Entry[]> {
  const slots = parts.map((part) => part.contextSlot);
  const contextSlot = slots.reduce((oldest, slot) => (slot < oldest ? slot : oldest), slots[0] ?? 0n);
  return { contextSlot, value: parts.flatMap((part) => part.value) };
}
