/** A refusal of a quote or an order, in the form of the service this venue stands in for: HTTP 400 with these fields. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly errorCode: string;
  readonly httpStatus: number;

  constructor(errorCode: string, message: string, httpStatus = 400) {
    super(message);
    this.errorCode = errorCode;
    this.httpStatus = httpStatus;
  }
}

/** Why an execution failed. Negative numbers as the swap API gives them. */
export const EXECUTE_CODE = {
  success: 0,
  unknownRequest: -1,
  invalidSignedTransaction: -2,
  messageChanged: -3,
  failedOnChain: -1000,
  notFullySigned: -1003,
  quoteExpired: -2003,
  swapRejected: -2004,
} as const;

export type ExecuteResult = {
  status: 'Success' | 'Failed';
  signature: string | null;
  slot: string | null;
  code: number;
  error: string | null;
  totalInputAmount: string | null;
  totalOutputAmount: string | null;
};

export function failed(code: number, error: string, signature: string | null = null): ExecuteResult {
  return { status: 'Failed', signature, slot: null, code, error, totalInputAmount: null, totalOutputAmount: null };
}
