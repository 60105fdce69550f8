import type { Address } from './address.ts';
import { encodeBase58 } from './base58.ts';
import { RpcTransportError } from './rpc-error.ts';
import type {
  AccountInfo,
  ChainTransaction,
  Commitment,
  ParsedAccountInfo,
  SignatureRow,
  SignatureStatus,
  TokenAccount,
  TransactionTokenBalance,
  WithContext,
} from './rpc-replies.ts';
import { decodeTransaction } from './transaction.ts';

// The node's JSON is parsed here, once; anything of another shape is reported as malformed instead of
// travelling on as undefined.

type Json = Record<string, unknown>;

function malformed(what: string): never {
  throw new RpcTransportError('malformed', `the node's reply has no valid ${what}`);
}

export function readObject(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) malformed(what);
  return value as Json;
}

export function readList(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) malformed(what);
  return value as unknown[];
}

export function readText(value: unknown, what: string): string {
  if (typeof value !== 'string') malformed(what);
  return value;
}

/** Integers arrive as numbers, as bigint above 2^53, and token amounts as decimal strings. */
export function readInteger(value: unknown, what: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^\d+$/.test(value)) return BigInt(value);
  return malformed(what);
}

export function readContext<Value>(reply: unknown, read: (value: unknown) => Value): WithContext<Value> {
  const envelope = readObject(reply, 'envelope');
  const context = readObject(envelope.context, 'context');
  return { contextSlot: readInteger(context.slot, 'context slot'), value: read(envelope.value) };
}

export function readAccount(value: unknown): AccountInfo | null {
  if (value === null || value === undefined) return null;
  const account = readObject(value, 'account');
  const [data, encoding] = readList(account.data, 'account data');
  if (encoding !== 'base64') malformed('account encoding');
  return {
    lamports: readInteger(account.lamports, 'lamports'),
    owner: readText(account.owner, 'owner') as Address,
    data: Buffer.from(readText(data, 'account data'), 'base64'),
    executable: account.executable === true,
  };
}

export function readParsedAccount(value: unknown): ParsedAccountInfo | null {
  if (value === null || value === undefined) return null;
  const account = readObject(value, 'account');
  let parsed: ParsedAccountInfo['parsed'] = null;
  if (!Array.isArray(account.data)) {
    const data = readObject(account.data, 'parsed data');
    const inner = readObject(data.parsed, 'parsed account');
    parsed = {
      program: readText(data.program, 'program'),
      type: readText(inner.type, 'type'),
      info: readObject(inner.info, 'info'),
    };
  }
  return {
    lamports: readInteger(account.lamports, 'lamports'),
    owner: readText(account.owner, 'owner') as Address,
    executable: account.executable === true,
    parsed,
  };
}

export function readTokenAccount(address: Address, value: unknown): TokenAccount {
  const account = readParsedAccount(value) ?? malformed('token account');
  const info = account.parsed?.info ?? malformed('parsed token account');
  const amount = readObject(info.tokenAmount, 'token amount');
  return {
    address,
    lamports: account.lamports,
    tokenProgram: account.owner,
    mint: readText(info.mint, 'mint') as Address,
    owner: readText(info.owner, 'owner') as Address,
    amount: readInteger(amount.amount, 'amount'),
    decimals: Number(readInteger(amount.decimals, 'decimals')),
    state: readText(info.state, 'state'),
  };
}

export function readSignatureStatus(value: unknown): SignatureStatus | null {
  if (value === null) return null;
  const status = readObject(value, 'signature status');
  const confirmations =
    status.confirmations === null ? null : Number(readInteger(status.confirmations, 'confirmations'));
  return {
    slot: readInteger(status.slot, 'slot'),
    confirmations,
    err: status.err ?? null,
    confirmationStatus: readCommitment(status.confirmationStatus),
  };
}

function readCommitment(value: unknown): Commitment {
  if (value !== 'processed' && value !== 'confirmed' && value !== 'finalized') return malformed('commitment');
  return value;
}

export function readSignatureRow(value: unknown): SignatureRow {
  const row = readObject(value, 'signature row');
  return {
    signature: readText(row.signature, 'signature'),
    slot: readInteger(row.slot, 'slot'),
    err: row.err ?? null,
    blockTime: readBlockTime(row.blockTime),
    confirmationStatus:
      row.confirmationStatus === null || row.confirmationStatus === undefined
        ? null
        : readCommitment(row.confirmationStatus),
  };
}

export function readTransaction(value: unknown): ChainTransaction | null {
  if (value === null) return null;
  const reply = readObject(value, 'transaction');
  const meta = readObject(reply.meta, 'transaction meta');
  const [encoded, encoding] = readList(reply.transaction, 'encoded transaction');
  if (encoding !== 'base64') malformed('transaction encoding');
  const wire = Buffer.from(readText(encoded, 'encoded transaction'), 'base64');
  const transaction = decodeTransaction(wire);
  const loaded = meta.loadedAddresses === undefined ? {} : readObject(meta.loadedAddresses, 'loaded addresses');
  const loadedKeys = [loaded.writable ?? [], loaded.readonly ?? []].flatMap((keys) =>
    readList(keys, 'loaded addresses').map((key) => readText(key, 'loaded address') as Address),
  );
  const integers = (list: unknown, what: string): bigint[] =>
    readList(list, what).map((entry) => readInteger(entry, what));
  return {
    signature: encodeBase58(transaction.signatures[0]!),
    slot: readInteger(reply.slot, 'slot'),
    blockTime: readBlockTime(reply.blockTime),
    err: meta.err ?? null,
    fee: readInteger(meta.fee, 'fee'),
    accountKeys: [...transaction.message.staticAccounts, ...loadedKeys],
    requiredSignatures: transaction.message.header.requiredSignatures,
    preBalances: integers(meta.preBalances, 'preBalances'),
    postBalances: integers(meta.postBalances, 'postBalances'),
    preTokenBalances: readTokenBalances(meta.preTokenBalances),
    postTokenBalances: readTokenBalances(meta.postTokenBalances),
    logMessages: readList(meta.logMessages ?? [], 'logs').map((line) => readText(line, 'log line')),
    wire,
  };
}

function readTokenBalances(value: unknown): TransactionTokenBalance[] {
  return readList(value ?? [], 'token balances').map((entry) => {
    const row = readObject(entry, 'token balance');
    const amount = readObject(row.uiTokenAmount, 'token amount');
    return {
      accountIndex: Number(readInteger(row.accountIndex, 'account index')),
      mint: readText(row.mint, 'mint') as Address,
      owner: typeof row.owner === 'string' ? (row.owner as Address) : null,
      tokenProgram: typeof row.programId === 'string' ? (row.programId as Address) : null,
      amount: readInteger(amount.amount, 'amount'),
      decimals: Number(readInteger(amount.decimals, 'decimals')),
    };
  });
}

function readBlockTime(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(readInteger(value, 'block time'));
}
