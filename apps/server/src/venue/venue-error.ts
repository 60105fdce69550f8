import { AppError } from '@hunter/contract/app-error';

/** Why a venue gave no usable answer, and what the caller of our API is told. */
const apiErrors = {
  POOL_BUSY: 'UNAVAILABLE',
  VENUE_BUSY: 'UNAVAILABLE',
  RATE_LIMITED: 'UNAVAILABLE',
  UNREACHABLE: 'UNAVAILABLE',
  INVALID_REPLY: 'UNAVAILABLE',
  AMOUNT_TOO_SMALL: 'AMOUNT_TOO_SMALL',
  INSUFFICIENT_BALANCE: 'INSUFFICIENT_BALANCE',
  NO_ROUTE: 'NO_ROUTE',
} as const;

export type VenueErrorCode = keyof typeof apiErrors;
type ApiError = (typeof apiErrors)[VenueErrorCode];

type ContextAndOptions = [context: { minimum: string } | undefined, options: { cause?: unknown }];

export class VenueError extends AppError<ApiError> {
  readonly venueCode: VenueErrorCode;

  constructor(venueCode: VenueErrorCode, message: string, options: { cause?: unknown } = {}) {
    const name = apiErrors[venueCode];
    const rest: ContextAndOptions =
      name === 'AMOUNT_TOO_SMALL' ? [{ minimum: '0.001 SOL' }, options] : [undefined, options];
    super(name, ...rest);
    // The log is told what the venue said; callers of the API get the catalogue's text.
    this.message = message;
    this.venueCode = venueCode;
  }
}
