/** Bytes are base64url. A passkey's challenge is the hash of the intent, which the signer computes for itself. */
export type SecondFactor =
  | { kind: 'totp'; code: string }
  | { kind: 'recovery'; code: string }
  | { kind: 'passkey'; credentialId: string; clientDataJson: string; authenticatorData: string; signature: string };

/** For the browser whose key was sent with the request; nobody who carries it can read it. */
export type SealedReply = { publicKey: string; box: string };

type Wallet = { userId: string; walletId: string; sealedKey: string };
/** The password always, and a factor where one is enrolled. */
type Change = Wallet & { password: string; factor?: SecondFactor | undefined; sealTo?: string | undefined };
type EnrolledFactor = { id: string; name: string; createdAt: number; lastUsedAt: number | null };

export type EnrolledFactors = {
  rpId: string;
  passkeys: EnrolledFactor[];
  totp: EnrolledFactor | null;
  recoveryCodesLeft: number;
  loginRequired: boolean;
  recovery: { startedAt: number; readyAt: number } | null;
  recoveryDelayMs: number;
  /** Of a key export that waits for its delay. */
  exportReadyAt: number | null;
};
/** Null where there are codes already. */
export type RecoveryCodes = { recoveryCodes: string[] | SealedReply | null };

/** What the server asks the signer about second factors. The signer decides; refusals are thrown as `SignerError`. */
export class FactorClient {
  readonly #call: (method: string, params: object) => Promise<unknown>;

  constructor(call: (method: string, params: object) => Promise<unknown>) {
    this.#call = call;
  }

  async list(wallet: Wallet): Promise<EnrolledFactors> {
    return (await this.#call('factors', wallet)) as EnrolledFactors;
  }

  /** A passkey signs an intent of kind `login` with this id. */
  async checkLogin(params: Wallet & { id: string; factor?: SecondFactor | undefined }): Promise<void> {
    await this.#call('checkLoginFactor', params);
  }

  /** A passkey signs an intent of kind `api-key` with this id, its asset the scope. */
  async checkApiKey(
    params: Wallet & { id: string; scope: 'read' | 'trade'; factor?: SecondFactor | undefined },
  ): Promise<void> {
    await this.#call('checkApiKeyFactor', params);
  }

  async startTotp(params: Change): Promise<{ id: string; secret: string | SealedReply }> {
    return (await this.#call('startTotp', params)) as { id: string; secret: string | SealedReply };
  }

  async confirmTotp(params: Change & { id: string; code: string; name: string }): Promise<RecoveryCodes> {
    return (await this.#call('confirmTotp', params)) as RecoveryCodes;
  }

  async enrolPasskey(
    params: Change & { id: string; name: string; clientDataJson: string; authenticatorData: string },
  ): Promise<RecoveryCodes> {
    return (await this.#call('enrolPasskey', params)) as RecoveryCodes;
  }

  async remove(params: Change & { id: string }): Promise<void> {
    await this.#call('removeFactor', params);
  }

  async renewCodes(params: Change & { id: string }): Promise<RecoveryCodes> {
    return (await this.#call('renewRecoveryCodes', params)) as RecoveryCodes;
  }

  async setLoginRule(params: Change & { id: string; on: boolean }): Promise<void> {
    await this.#call('setLoginRule', params);
  }

  async startRecovery(params: Wallet & { password: string }): Promise<{ readyAt: number }> {
    return (await this.#call('startRecovery', params)) as { readyAt: number };
  }

  async cancelRecovery(wallet: Wallet): Promise<void> {
    await this.#call('cancelRecovery', wallet);
  }

  /** Denied with HELD until the delay is over. */
  async finishRecovery(params: Wallet & { password: string }): Promise<void> {
    await this.#call('finishRecovery', params);
  }
}
