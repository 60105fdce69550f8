import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Address } from '@hunter/solana/address';
import { FactorClient, type SealedReply, type SecondFactor } from './factor-client.ts';
import { SafetyClient } from './safety-client.ts';
import type { SignerChange, SignerStatus } from './signer-status.ts';
import { connectorTo } from './signer-address.ts';
import { STOP_KINDS, type StopKind } from './stop-kinds.ts';

/** Where a wallet belongs; both ids are bound into its sealed key. Letters, digits, `_` and `-`, at most 64. */
export type WalletOwner = { userId: string; walletId: string };

export type { SecondFactor };

/** What a transaction is for. The signer reads the bytes itself and refuses whatever the policy does not cover. */
export type SigningPolicy =
  | {
      kind: 'swap';
      mint: Address;
      tokenProgram: Address;
      side: 'buy' | 'sell';
      /** Transfers + network fee + rent of the own token account. */
      maxLamportsOut: bigint;
      /** 0n for buys. */
      maxTokensOut: bigint;
      minLamportsIn?: bigint;
      minTokensIn?: bigint;
      /** The venue's signature over the pool, which is the other signer, and the mint; base64. */
      poolCertificate: string | null;
    }
  | { kind: 'close-token-account'; mint: Address; tokenProgram: Address }
  | {
      kind: 'withdrawal';
      withdrawalId: string;
      destination: Address;
      /** SOL, or else `token`. */
      lamports?: bigint;
      token?: { mint: Address; tokenProgram: Address; amount: bigint };
      /** Needed the first time; a held or expired withdrawal may be signed again without it for three days. */
      password?: string;
      /** Needed with the password where the owner has enrolled one. */
      factor?: SecondFactor;
    }
  /** From a personal wallet to a strategy wallet. */
  | { kind: 'commit'; strategyWallet: Address; lamports: bigint }
  /** From a strategy wallet to personal wallets that committed to it; as many legs as fit into the transaction. */
  | {
      kind: 'return';
      legs: readonly { to: Address; lamports: bigint }[];
      tokens?: readonly { to: Address; mint: Address; tokenProgram: Address; amount: bigint }[];
    };

/** Base58 of 64 bytes, or sealed to the key that was sent. */
export type ShownKey = string | SealedReply;
type NewWallet = WalletOwner & { password: string };
/** `worthLamports` is what the wallet is worth: the key of a large one is shown after a delay. */
type KeyExport = WalletOwner & {
  sealedKey: string;
  password: string;
  exportId?: string;
  factor?: SecondFactor;
  worthLamports?: bigint;
};

export type SignRequest = WalletOwner & { sealedKey: string; transaction: string; policy: SigningPolicy };

/** What is wrong with the bytes, for what the policy says they are. */
type TransactionDenialCode =
  | 'TRANSACTION_MALFORMED'
  | 'LOOKUP_TABLE'
  | 'FEE_PAYER'
  | 'PROGRAM'
  | 'INSTRUCTION'
  | 'MINT'
  | 'DESTINATION'
  | 'AMOUNT'
  | 'NOTHING_IN_RETURN'
  | 'COUNTERPARTY';

/** What a limit stands against; some of it passes with time. */
type LimitDenialCode =
  | 'KILL_SWITCH'
  | 'SWAP_CEILING'
  | 'RETURN_CEILING'
  | 'COMMIT_NOT_FINAL'
  | 'VELOCITY'
  | 'HELD'
  | 'EXPORT_AFTER_RESET'
  | 'EXPORT_DELAYED'
  | 'FROZEN'
  | 'UNFREEZE_AFTER_RESET'
  | 'NEW_ADDRESS_AFTER_RESET'
  | 'WITHDRAWAL_RESIGNED_TOO_OFTEN'
  | 'TOO_MANY_TRIES';

export type SignerDenialCode =
  | TransactionDenialCode
  | LimitDenialCode
  | 'POLICY_INVALID'
  | 'ENVELOPE_INVALID'
  | 'ENVELOPE_OUTDATED'
  | 'WALLET_KIND'
  | 'WALLET_EXISTS'
  | 'WITHDRAWAL_MISMATCH'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SECOND_FACTOR_WRONG'
  | 'FACTOR_LIMIT'
  | 'RECOVERY_LIMIT'
  | 'BAD_PASSWORD'
  | 'NOTHING_TO_UNDO';

/**
 * `until` (ms since 1970) comes with HELD, EXPORT_DELAYED and the refusals after a reset; `hold` says why a withdrawal
 * waits; `atOnceLamports` with a held return: what its first
 * receiver who has to wait could get without waiting.
 */
export type SignerDenial = {
  code: SignerDenialCode;
  reason: string;
  until?: number;
  atOnceLamports?: string;
  hold?: HoldReason;
};
export type HoldReason = 'password-changed' | 'new-address' | 'new-address-token' | 'own-delay';
export type SignOutcome = { signedTransaction: string; signature: string } | { denied: SignerDenial };
export { STOP_KINDS, type StopKind };
export type { SignerChange, SignerStatus };
export type RewrapOutcome = { sealedKey: string } | { denied: SignerDenial };

export type SignerErrorCode =
  | 'UNAUTHORISED'
  | 'UNKNOWN_METHOD'
  | 'INVALID_PARAMS'
  | 'REQUEST_TOO_LARGE'
  | 'BUSY'
  | 'DENIED'
  | 'INTERNAL'
  | 'UNREACHABLE'
  | 'TIMEOUT';

/** A signer that cannot sign now, for want of its standby or because it is none any more: as good as none. */
const SIGNS_NOT: ReadonlySet<string> = new Set(['STANDBY', 'NO_STANDBY', 'REPLACED']);

/** `denied` is there for DENIED: calls other than `sign` are refused by throwing. */
export class SignerError extends Error {
  override readonly name = 'SignerError';
  readonly code: SignerErrorCode;
  readonly denied: SignerDenial | null;

  constructor(code: SignerErrorCode, message: string, options: { denied?: SignerDenial; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.denied = options.denied ?? null;
  }
}

/** One message per call that is over, for whoever counts them. */
export const signerCalls = channel('hunter:signer');
export type SignerCall = {
  readonly method: string;
  readonly durationMs: number;
  /** Null where the signer answered, and where it denied what was asked. */
  readonly failure: SignerErrorCode | null;
};

// Chunks let the signer work on the first wallets while the rest is still being written.
const SIGN_CHUNK = 100;
const FINAL_CHUNK = 1_000;
const REPLY_BYTES_MAX = 16 * 1024 * 1024;

type Pending = { resolve: (result: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/**
 * One connection to the signer, many calls at once. It connects on first use and again after a drop; calls that
 * were under way then fail with UNREACHABLE. Signing the same bytes again is harmless: Ed25519 gives the same signature.
 */
export class SignerClient {
  readonly factors = new FactorClient((method, params) => this.#call(method, params));
  readonly safety = new SafetyClient((method, params) => this.#call(method, params));
  readonly #connect: () => Socket;
  readonly #token: string;
  readonly #timeoutMs: number;
  readonly #pending = new Map<number, Pending>();
  #socket: Socket | null = null;
  #nextId = 1;
  #received: Buffer[] = [];

  constructor(options: { socketPath: string; token: string; tlsFolder?: string | undefined; timeoutMs?: number }) {
    this.#connect = connectorTo(options.socketPath, options.tlsFolder);
    this.#token = options.token;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
  }

  async createWallet(params: NewWallet): Promise<{ address: Address; sealedKey: string; privateKey: string }>;
  async createWallet(
    params: NewWallet & { sealTo?: string },
  ): Promise<{ address: Address; sealedKey: string; privateKey: ShownKey }>;
  async createWallet(params: NewWallet): Promise<{ address: Address; sealedKey: string; privateKey: ShownKey }> {
    return (await this.#call('createWallet', params)) as { address: Address; sealedKey: string; privateKey: ShownKey };
  }

  /** No call ever shows the key of such a wallet. */
  async createStrategyWallet(owner: WalletOwner): Promise<{ address: Address; sealedKey: string }> {
    return (await this.#call('createStrategyWallet', owner)) as { address: Address; sealedKey: string };
  }

  /** Tells which commits the chain has finalized; only those count for what may be returned. May be repeated. */
  async commitsFinal(signatures: readonly string[]): Promise<void> {
    for (let start = 0; start < signatures.length; start += FINAL_CHUNK) {
      await this.#call('commitsFinal', { signatures: signatures.slice(start, start + FINAL_CHUNK) });
    }
  }

  /** One outcome per request in the requests' order. */
  async sign(requests: readonly SignRequest[]): Promise<SignOutcome[]> {
    const calls: Promise<unknown>[] = [];
    for (let start = 0; start < requests.length; start += SIGN_CHUNK) {
      const chunk = requests.slice(start, start + SIGN_CHUNK);
      calls.push(this.#call('sign', { requests: chunk.map(onTheWire) }));
    }
    const replies = (await Promise.all(calls)) as { results: SignOutcome[] }[];
    return replies.flatMap((reply) => reply.results);
  }

  async verifyPassword(params: WalletOwner & { sealedKey: string; password: string }): Promise<boolean> {
    try {
      await this.#call('verifyPassword', params);
      return true;
    } catch (error) {
      if (error instanceof SignerError && error.denied?.code === 'BAD_PASSWORD') return false;
      throw error;
    }
  }

  async changePassword(
    params: WalletOwner & { sealedKey: string; oldPassword: string; newPassword: string },
  ): Promise<{ sealedKey: string }> {
    return (await this.#call('changePassword', params)) as { sealedKey: string };
  }

  async resetPassword(
    params: WalletOwner & { sealedKey: string; newPassword: string },
  ): Promise<{ sealedKey: string }> {
    return (await this.#call('resetPassword', params)) as { sealedKey: string };
  }

  /** Whether a withdrawal would be held now; refused like the withdrawal itself would be. */
  async previewWithdrawal(
    params: WalletOwner & { sealedKey: string; policy: WithdrawalPolicy },
  ): Promise<{ holdUntil?: number; hold?: HoldReason }> {
    const policy = withdrawalOnTheWire(params.policy);
    return (await this.#call('previewWithdrawal', { ...params, policy })) as { holdUntil?: number; hold?: HoldReason };
  }

  async ownLimits(params: WalletOwner): Promise<SignerLimits> {
    return readLimits(await this.#call('ownLimits', params));
  }

  /** Stricter at once; looser needs the password and holds after a day. */
  async setOwnLimits(
    params: WalletOwner & { sealedKey: string; password?: string } & OwnLimits,
  ): Promise<SignerLimits> {
    const dailyLamports = String(params.dailyLamports);
    return readLimits(await this.#call('setOwnLimits', { ...params, dailyLamports }));
  }

  /** After ENVELOPE_OUTDATED: the newest sealed key, where a crash came between a password change and storing it. */
  async latestSealedKey(params: WalletOwner): Promise<{ sealedKey: string | null }> {
    return (await this.#call('latestSealedKey', params)) as { sealedKey: string | null };
  }

  async exportKey(params: KeyExport): Promise<{ privateKey: string }>;
  async exportKey(params: KeyExport & { sealTo?: string }): Promise<{ privateKey: ShownKey }>;
  async exportKey(params: KeyExport): Promise<{ privateKey: ShownKey }> {
    const { worthLamports, ...rest } = params;
    const worth = worthLamports === undefined ? {} : { worthLamports: String(worthLamports) };
    return (await this.#call('exportKey', { ...rest, ...worth })) as { privateKey: ShownKey };
  }

  /** Moves data keys under the current key; may be repeated and resumed at any entry. */
  async rewrap(sealedKeys: readonly (WalletOwner & { sealedKey: string })[]): Promise<RewrapOutcome[]> {
    return ((await this.#call('rewrap', { sealedKeys })) as { results: RewrapOutcome[] }).results;
  }

  async rotate(): Promise<{ keyId: string }> {
    return (await this.#call('rotate', {})) as { keyId: string };
  }

  /** Only once no stored sealed key names the key: what is still under it can then never be opened again. */
  async retireKey(keyId: string): Promise<void> {
    await this.#call('retireKey', { keyId });
  }

  /** Without a kind it is about all of them; a request of a stopped kind is denied with KILL_SWITCH. Switching off may have to wait. */
  async setKillSwitch(on: boolean, kind?: StopKind): Promise<{ waits: SignerChange | null }> {
    return (await this.#call('setKillSwitch', { on, kind })) as { waits: SignerChange | null };
  }

  /** Where two operators are configured, both have to agree to a change. */
  async confirmChange(id: string): Promise<void> {
    await this.#call('confirmChange', { id });
  }

  async cancelChange(id: string): Promise<void> {
    await this.#call('cancelChange', { id });
  }

  /** Of a standby; needs the operator's token. The former active signer answers nobody from then on. */
  async promote(): Promise<{ epoch: number }> {
    return (await this.#call('promote', {})) as { epoch: number };
  }

  /** A standby answers with less, and is as good as no signer. */
  async status(): Promise<SignerStatus> {
    const status = (await this.#call('status', {})) as Partial<SignerStatus>;
    if (!status.stops) throw new SignerError('UNREACHABLE', 'this signer is a standby and signs nothing');
    return status as SignerStatus;
  }

  close(): void {
    this.#socket?.destroy();
    this.#dropped(null);
  }

  async #call(method: string, params: object): Promise<unknown> {
    const startedMs = performance.now();
    const over = (failure: SignerErrorCode | null): void =>
      signerCalls.publish({ method, durationMs: performance.now() - startedMs, failure } satisfies SignerCall);
    try {
      const result = await this.#send(method, params);
      over(null);
      return result;
    } catch (error) {
      over(error instanceof SignerError && error.code !== 'DENIED' ? error.code : null);
      throw error;
    }
  }

  #send(method: string, params: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = this.#nextId;
    this.#nextId += 1;
    const timer = setTimeout(() => {
      this.#pending.delete(id);
      reject(new SignerError('TIMEOUT', `${method}: the signer did not answer within ${this.#timeoutMs} ms`));
    }, this.#timeoutMs);
    this.#pending.set(id, { resolve, reject, timer });
    const line = JSON.stringify({ id, token: this.#token, method, params });
    this.#connected().write(`${line}\n`);
    return promise;
  }

  #connected(): Socket {
    if (this.#socket !== null) return this.#socket;
    const socket = this.#connect();
    this.#socket = socket;
    let failure: unknown = null;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#dropped(failure);
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#read(chunk);
      } catch (cause) {
        // Whatever talks there is no signer, or no longer: nothing that follows can be told apart.
        socket.destroy(new Error('the signer sent what is no reply', { cause }));
      }
    });
    return socket;
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const parts = [...this.#received, chunk.subarray(start, end)];
      const line = Buffer.concat(parts);
      this.#received = [];
      start = end + 1;
      this.#answered(line.toString('utf8'));
      // A reply may carry a private key: neither the line nor what it arrived in keeps it.
      line.fill(0);
      for (const part of parts) part.fill(0);
    }
    if (start === chunk.length) return;
    this.#received.push(chunk.subarray(start));
    if (this.#received.reduce((sum, part) => sum + part.length, 0) > REPLY_BYTES_MAX) throw new Error('it has no end');
  }

  #answered(text: string): void {
    const message = JSON.parse(text) as {
      id: number;
      result?: unknown;
      error?: { code: SignerErrorCode; message: string; denied?: SignerDenial };
    };
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error === undefined) pending.resolve(message.result);
    else {
      const { code, message: reason, denied } = message.error;
      pending.reject(
        new SignerError(SIGNS_NOT.has(code) ? 'UNREACHABLE' : code, reason, denied === undefined ? {} : { denied }),
      );
    }
  }

  #dropped(cause: unknown): void {
    this.#socket = null;
    this.#received = [];
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject, timer } of lost) {
      clearTimeout(timer);
      reject(new SignerError('UNREACHABLE', 'the connection to the signer was lost', { cause }));
    }
  }
}

type WithdrawalPolicy = SigningPolicy & { kind: 'withdrawal' };
export type OwnLimits = { dailyLamports: bigint; delaysNew: boolean };
/** What the owner chose, what he chose for later, and the limits of the installation. */
export type SignerLimits = {
  now: OwnLimits;
  next: (OwnLimits & { from: number }) | null;
  dailyLamports: bigint;
  largeLamports: bigint;
};

function readLimits(reply: unknown): SignerLimits {
  type Logged = Omit<OwnLimits, 'dailyLamports'> & { dailyLamports: string };
  const { now, next, dailyLamports, largeLamports } = reply as {
    now: Logged;
    next: (Logged & { from: number }) | null;
    dailyLamports: string;
    largeLamports: string;
  };
  return {
    now: { ...now, dailyLamports: BigInt(now.dailyLamports) },
    next: next && { ...next, dailyLamports: BigInt(next.dailyLamports) },
    dailyLamports: BigInt(dailyLamports),
    largeLamports: BigInt(largeLamports),
  };
}

function withdrawalOnTheWire({ lamports, token, ...policy }: WithdrawalPolicy): object {
  return token === undefined
    ? { ...policy, lamports: String(lamports) }
    : { ...policy, token: { ...token, amount: String(token.amount) } };
}

/** Amounts travel as decimal text. Written out because a replacer would visit every value of every sealed key. */
function onTheWire(request: SignRequest): object {
  const { policy } = request;
  switch (policy.kind) {
    case 'swap':
      return {
        ...request,
        policy: {
          ...policy,
          maxLamportsOut: String(policy.maxLamportsOut),
          maxTokensOut: String(policy.maxTokensOut),
          minLamportsIn: policy.minLamportsIn === undefined ? undefined : String(policy.minLamportsIn),
          minTokensIn: policy.minTokensIn === undefined ? undefined : String(policy.minTokensIn),
        },
      };
    case 'withdrawal':
      return { ...request, policy: withdrawalOnTheWire(policy) };
    case 'commit':
      return { ...request, policy: { ...policy, lamports: String(policy.lamports) } };
    case 'return':
      return {
        ...request,
        policy: {
          ...policy,
          legs: policy.legs.map((leg) => ({ ...leg, lamports: String(leg.lamports) })),
          tokens: policy.tokens?.map((leg) => ({ ...leg, amount: String(leg.amount) })),
        },
      };
    case 'close-token-account':
      return request;
    default:
      // Not of a known kind, which the signer denies for itself.
      return request;
  }
}
