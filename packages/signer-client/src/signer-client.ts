import type { Address } from '@hunter/solana/address';
import { FactorClient, type SealedReply, type SecondFactor } from './factor-client.ts';
import { SafetyClient } from './safety-client.ts';
import { SignerConnection, type ConnectionOptions } from './signer-connection.ts';
import { SignerError, type HoldReason, type SignerDenial } from './signer-error.ts';
import type { SignerChange, SignerStatus } from './signer-status.ts';
import {
  onTheWire,
  withdrawalOnTheWire,
  type SignOutcome,
  type SignRequest,
  type WalletOwner,
  type WithdrawalPolicy,
} from './signing-policy.ts';
import type { StopKind } from './stop-kinds.ts';

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

export type RewrapOutcome = { sealedKey: string } | { denied: SignerDenial };

// Chunks let the signer work on the first wallets while the rest is still being written.
const SIGN_CHUNK = 100;
const FINAL_CHUNK = 1_000;

/** What the server and operators ask the signer. */
export class SignerClient {
  readonly factors: FactorClient;
  readonly safety: SafetyClient;
  readonly #connection: SignerConnection;
  readonly #call: SignerConnection['call'];

  constructor(options: ConnectionOptions) {
    this.#connection = new SignerConnection(options);
    this.#call = (method, params) => this.#connection.call(method, params);
    this.factors = new FactorClient(this.#call);
    this.safety = new SafetyClient(this.#call);
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
    this.#connection.close();
  }
}

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
