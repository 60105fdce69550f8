/** A request that cannot be served at all; what is served but not granted is a `Denied`. */
export type SignerErrorCode =
  | 'UNAUTHORISED'
  | 'UNKNOWN_METHOD'
  | 'INVALID_PARAMS'
  | 'REQUEST_TOO_LARGE'
  | 'BUSY'
  | 'STANDBY'
  | 'NO_STANDBY'
  | 'REPLACED'
  | 'DENIED'
  | 'INTERNAL';

export class SignerError extends Error {
  override readonly name = 'SignerError';
  readonly code: SignerErrorCode;

  constructor(code: SignerErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
