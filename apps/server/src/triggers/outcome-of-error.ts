import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { TriggerOutcome } from '@hunter/domain/triggers/trigger-outcome';

const outcomes: Partial<Record<ErrorName, TriggerOutcome>> = {
  INSUFFICIENT_BALANCE: 'insufficient-balance',
  FEE_NOT_COVERED: 'fee-not-covered',
  NOTHING_TO_SELL: 'position-closed',
  PRICE_MOVED: 'price-moved',
  AMOUNT_TOO_SMALL: 'below-minimum',
  NO_ROUTE: 'no-route',
  PRICE_IMPACT_TOO_HIGH: 'no-route',
  TOKEN_UNKNOWN: 'no-route',
  TRADE_FAILED: 'failed-on-chain',
  TRADE_DROPPED: 'failed-on-chain',
  STRATEGY_ENDED: 'book-closed',
  NOT_FOUND: 'book-closed',
  SIGNING_DENIED: 'signing-refused',
  SIGNING_STOPPED: 'signing-refused',
};

/** Why an order did not trade, as its trigger says it. What is not named here may pass by itself. */
export function outcomeOfError(error: ErrorName): TriggerOutcome {
  return outcomes[error] ?? 'unavailable';
}
