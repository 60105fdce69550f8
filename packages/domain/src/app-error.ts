/**
 * Every code is permanent and owns the context it is thrown with. An interface, so that a package above the domain
 * can add its own codes by declaration merging without the domain knowing them.
 */
export interface ErrorContext {
  BASIS_POINTS_OUT_OF_RANGE: { raw: bigint };
  CANDLES_OF_DIFFERENT_BUCKETS: { left: number; right: number };
  DECIMAL_INVALID: { text: string; decimals: number; problem: string };
  DIVISION_BY_ZERO: { numerator: bigint };
  FILL_EXCEEDS_POSITION: { held: bigint; sold: bigint };
  FILL_INVALID: { problem: string };
  LAMPORTS_OUT_OF_RANGE: { raw: bigint };
  NAV_UNITS_EXHAUSTED: { units: bigint; flowLamports: bigint };
  POOL_INVALID: { problem: string };
  PRICE_INVALID: { problem: string };
  SWAP_AMOUNT_INVALID: { amount: bigint };
  TOKEN_AMOUNT_OUT_OF_RANGE: { raw: bigint };
  TOKEN_DECIMALS_INVALID: { decimals: number };
  TOKEN_MISMATCH: { left: string; right: string };
  WEIGHTS_INVALID: { problem: string };
}

export type ErrorCode = keyof ErrorContext;

/** A broken rule: a state the callers promised never to produce. Expected outcomes are returned, not thrown. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: Code;
  readonly context: ErrorContext[Code];

  constructor(code: Code, context: ErrorContext[Code], options?: { cause?: unknown }) {
    super(`${code}: ${describe(context)}`, options);
    this.code = code;
    this.context = context;
  }
}

export function isAppError<Code extends ErrorCode>(error: unknown, code: Code): error is AppError<Code> {
  return error instanceof AppError && error.code === code;
}

function describe(context: object): string {
  return Object.entries(context)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ');
}
