import type { SecondFactor } from './factor-client.ts';

type Wallet = { userId: string; walletId: string; sealedKey: string };
/** A passkey signs `proofId`. */
type FactorProof = { proofId: string; factor: SecondFactor };

/** What an owner does when somebody else may have the password. */
export class SafetyClient {
  readonly #call: (method: string, params: object) => Promise<unknown>;

  constructor(call: (method: string, params: object) => Promise<unknown>) {
    this.#call = call;
  }

  /** No withdrawal and no export until `unfreeze`; an export that waited is forgotten. May be repeated. */
  async freeze(params: Wallet): Promise<void> {
    await this.#call('freeze', params);
  }

  /** A second factor is needed where one is enrolled. */
  async unfreeze(params: Wallet & { password: string; proofId: string; factor?: SecondFactor }): Promise<void> {
    await this.#call('unfreeze', params);
  }

  /** Within 72 hours after a reset, by whoever knows the password of before or has a second factor. */
  async undoReset(params: Wallet & ({ password: string } | FactorProof)): Promise<{ sealedKey: string }> {
    return (await this.#call('undoReset', params)) as { sealedKey: string };
  }

  /** Of a key export that waits for its delay. */
  async cancelExport(params: Wallet): Promise<void> {
    await this.#call('cancelExport', params);
  }
}
