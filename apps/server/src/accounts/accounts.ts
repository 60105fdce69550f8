import type { CallReply } from '@hunter/contract/calls';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { EmailCodes } from './email-codes.ts';
import type { Language } from './mail-frame.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { Sessions } from './sessions.ts';
import type { TellUser } from './tell-user.ts';
import type { WalletKeys } from './wallet-keys.ts';

export type WalletInfo = CallReply<'myWallet'>['walletInfo'];

/** Everything the use cases of accounts work with. */
export type Accounts = {
  local: boolean;
  database: Database;
  clock: Clock;
  log: Log;
  secret: ServerSecret;
  keys: WalletKeys;
  hasher: PasswordHasher;
  sessions: Sessions;
  codes: EmailCodes;
  /** Failures per account, per device of an account, and per network address. */
  throttles: { account: LoginThrottle; device: LoginThrottle; address: LoginThrottle };
  tell: TellUser;
  /** Balances belong to the treasury; the session's answers show them. */
  loadWalletInfo: (sql: Sql, userId: string) => Promise<WalletInfo>;
};

/** Where a call came from. */
export type Origin = { address: string; device: string; language: Language };
