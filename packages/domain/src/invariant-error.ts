/** Every code is permanent and owns the context it is thrown with. */
export type InvariantContext = {
  BASIS_POINTS_OUT_OF_RANGE: { raw: bigint };
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
  WEIGHTS_INVALID: { problem: string };
};

/**
 * A state that callers promised never to produce, so a fault of ours. It is no `AppError`: nobody is told more of it than that the
 * server failed, and no caller may take it for a refusal. Expected outcomes are returned, not thrown.
 */
export class InvariantError<Code extends keyof InvariantContext = keyof InvariantContext> extends Error {
  override readonly name = 'InvariantError';
  readonly code: Code;
  readonly context: InvariantContext[Code];

  constructor(code: Code, context: InvariantContext[Code]) {
    const details = Object.entries(context).map(([key, value]) => `${key}=${String(value)}`);
    super(`${code}: ${details.join(', ')}`);
    this.code = code;
    this.context = context;
  }
}
