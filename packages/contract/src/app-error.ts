import { errorCatalogue, refusalReasons, type ErrorContext, type ErrorName } from './error-catalogue.ts';

export type ContextOf<Name extends ErrorName> = Name extends keyof ErrorContext ? ErrorContext[Name] : undefined;

type Rest<Name extends ErrorName> = Name extends keyof ErrorContext
  ? [context: ErrorContext[Name], options?: { cause?: unknown }]
  : [context?: undefined, options?: { cause?: unknown }];

/** Complete by type: a name that gains a context fails the build until it stands here. */
const withContext: Readonly<Record<keyof ErrorContext, true>> = {
  RATE_LIMITED: true,
  CODE_TOO_SOON: true,
  INVALID_INPUT: true,
  AMOUNT_TOO_SMALL: true,
  PRICE_IMPACT_TOO_HIGH: true,
  WITHDRAWAL_LEAVES_DUST: true,
  KEY_EXPORT_AFTER_RESET: true,
  KEY_EXPORT_DELAYED: true,
  RECOVERY_WAITS: true,
  LOGIN_FACTOR_REQUIRED: true,
  UNFREEZE_AFTER_RESET: true,
  RESET_REFUSED: true,
  WITHDRAWAL_NEW_ADDRESS: true,
  WITHDRAWAL_TOKEN: true,
  ADDRESS_BOOK_FULL: true,
  WITHDRAWALS_WAITING: true,
  WITHDRAWAL_DESTINATION: true,
  STRATEGY_FULL: true,
  TOO_MANY_PAPER_FOLLOWS: true,
  TOO_MANY_WALLET_FOLLOWS: true,
  CREATOR_CONFLICT: true,
  API_KEY_LIMIT: true,
  API_KEY_SPEND_LIMIT: true,
  API_KEY_SLIPPAGE: true,
  PRICE_ALERTS_FULL: true,
  TRIGGER_LIMIT: true,
  TRIGGERS_PER_DAY: true,
  TRACKED_WALLETS_FULL: true,
};

/** For code that only has a name: one that carries a context cannot be thrown without it. */
export function carriesContext(name: ErrorName): name is keyof ErrorContext {
  return Object.hasOwn(withContext, name);
}

/** A broken rule that the caller is told about. Anything else that is thrown is answered as INTERNAL and logged. */
export class AppError<Name extends ErrorName = ErrorName> extends Error {
  readonly errorName: Name;
  readonly context: ContextOf<Name>;

  constructor(errorName: Name, ...[context, options]: Rest<Name>) {
    super(errorText(errorName, context, 'en'), options);
    this.name = 'AppError';
    this.errorName = errorName;
    this.context = context as ContextOf<Name>;
  }

  get code(): number {
    return errorCatalogue[this.errorName].code;
  }

  get httpStatus(): number {
    return errorCatalogue[this.errorName].httpStatus;
  }
}

/** The catalogue's text with its places filled; a reason is printed in the same language. */
export function errorText(name: ErrorName, context: unknown, language: 'en' | 'zh'): string {
  const values = (context ?? {}) as Record<string, string | number | undefined>;
  return errorCatalogue[name][language].replaceAll(/\{(\w+)\}/g, (place, key: string) => {
    const value = values[key];
    if (value === undefined) return place;
    const text = String(value);
    return (key === 'reason' ? refusalReasons[text]?.[language] : undefined) ?? text;
  });
}
