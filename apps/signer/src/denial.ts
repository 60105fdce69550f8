/** Why something was not signed. Codes are permanent: the server maps them to what a user is told. */
export type DenialCode =
  | 'KILL_SWITCH'
  | 'POLICY_INVALID'
  | 'ENVELOPE_INVALID'
  | 'ENVELOPE_OUTDATED'
  | 'TRANSACTION_MALFORMED'
  | 'LOOKUP_TABLE'
  | 'FEE_PAYER'
  | 'PROGRAM'
  | 'INSTRUCTION'
  | 'MINT'
  | 'DESTINATION'
  | 'AMOUNT'
  | 'NOTHING_IN_RETURN'
  | 'COUNTERPARTY'
  | 'SWAP_CEILING'
  | 'BAD_PASSWORD'
  | 'TOO_MANY_TRIES'
  | 'WITHDRAWAL_MISMATCH'
  | 'WITHDRAWAL_RESIGNED_TOO_OFTEN'
  | 'VELOCITY'
  | 'HELD'
  | 'FROZEN'
  | 'UNFREEZE_AFTER_RESET'
  | 'EXPORT_DELAYED'
  | 'EXPORT_AFTER_RESET'
  | 'NEW_ADDRESS_AFTER_RESET'
  | 'NOTHING_TO_UNDO'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SECOND_FACTOR_WRONG'
  | 'FACTOR_LIMIT'
  | 'WALLET_KIND'
  | 'WALLET_EXISTS'
  | 'COMMIT_NOT_FINAL'
  | 'RETURN_CEILING';

/** Why a withdrawal waits. */
export type HoldReason = 'password-changed' | 'new-address' | 'new-address-token' | 'own-delay' | 'many-withdrawals';

/** `hold` says why a withdrawal waits; `atOnceLamports` comes with a held return: what would be signed without waiting. */
export type Denial = { code: DenialCode; reason: string; until?: number; atOnceLamports?: string; hold?: HoldReason };

export class Denied extends Error {
  override readonly name = 'Denied';
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(`${denial.code}: ${denial.reason}`);
    this.denial = denial;
  }
}

export function deny(code: DenialCode, reason: string): never {
  throw new Denied({ code, reason });
}
