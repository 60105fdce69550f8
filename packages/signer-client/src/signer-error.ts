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
export type HoldReason = 'password-changed' | 'new-address' | 'new-address-token' | 'own-delay' | 'many-withdrawals';
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
