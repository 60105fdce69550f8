/** Every code is permanent; its context says what was wrong in terms a log can carry. */
export type SolanaErrorContext = {
  BASE58_INVALID: { character: string; position: number };
  BASE58_TOO_LONG: { length: number };
  ADDRESS_INVALID: { text: string };
  SECRET_KEY_INVALID: { reason: string };
  BYTES_ENDED: { offset: number; needed: number; length: number };
  BYTES_LEFT_OVER: { offset: number; length: number };
  COMPACT_U16_INVALID: { offset: number };
  MESSAGE_INVALID: { reason: string };
  TRANSACTION_INVALID: { reason: string };
  PROGRAM_ADDRESS_NOT_FOUND: { program: string };
  AMOUNT_OUT_OF_RANGE: { amount: bigint };
};

export type SolanaErrorCode = keyof SolanaErrorContext;

export class SolanaError<Code extends SolanaErrorCode = SolanaErrorCode> extends Error {
  override readonly name = 'SolanaError';
  readonly code: Code;
  readonly context: SolanaErrorContext[Code];

  constructor(code: Code, context: SolanaErrorContext[Code]) {
    const details = Object.entries(context)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(' ');
    super(`${code} ${details}`);
    this.code = code;
    this.context = context;
  }
}
