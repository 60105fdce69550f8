import type { KeyObject } from 'node:crypto';
import type { AnomalyLimits } from './limits/anomalies.ts';
import type { RecoveryLimits } from './factors/factor-changes.ts';
import { type Endpoint, readEndpoint } from './socket/endpoint.ts';
import { EnvironmentReader } from './environment-reader.ts';
import type { RelyingParty } from './factors/passkey.ts';
import { readVenueKey } from './transactions/pool-certificates.ts';
import type { StrategyLimits } from './requests/strategy-rules.ts';
import type { SwapCeilings } from './limits/swap-velocity.ts';
import type { WithdrawalLimits } from './limits/withdrawal-rules.ts';

export type SignerConfig = {
  endpoint: Endpoint;
  /** Where it was set up as a standby; what it is by now, its folder says. */
  isStandby: boolean;
  /** The standby of this one; null without one, `none` where it was given up. */
  standby: Endpoint | 'none' | null;
  /** Shared by the two signers and by nobody else. */
  signerToken: string | null;
  /** The folder guards the socket: others than the signer's own user may connect who can enter it. */
  isSocketShared: boolean;
  accessToken: string;
  /** Needed to release the kill switch and to rotate keys, where it is set; it should not be the server's. */
  operatorTokens: string[];
  dataDir: string;
  environment: string;
  limits: WithdrawalLimits;
  /** Swaps of 24 hours, of one wallet and of all. */
  swapCeilings: SwapCeilings;
  exportLimits: { walletsPerDay: number; delayMs: number };
  resetsPerDay: number;
  anomalyLimits: AnomalyLimits;
  strategy: StrategyLimits;
  /** Where owners' browsers are; a passkey answers to it and to nothing else. */
  party: RelyingParty;
  recovery: RecoveryLimits;
  /** Whose certificates make a pool; without it no swap is signed. */
  venueKey: KeyObject | null;
  /** Signing threads beside the main one; null for one per core. */
  threads: number | null;
  /** Whether a past is being made, whose time the launcher tells. */
  isPast: boolean;
};

/** What the signer reads from its environment; the table in `docs/operations.md` comes from here. */
export const variables = {
  SIGNER_OPERATOR_TOKEN: {
    default: 'new at every start, in `operator.json`',
    meaning: 'needed to release the kill switch and to rotate keys; without it whoever has `SIGNER_TOKEN` may',
  },
  SIGNER_OPERATOR_TOKEN_2: {
    default: 'none',
    meaning: "a second operator's token: then changes of the signer's configuration need both",
  },
  SIGNER_CHANGE_DELAY_SECONDS: {
    default: '`86400`, `0` with the embedded chain',
    meaning: 'how long a looser setting, another venue key and the release of the kill switch wait',
  },
  SIGNER_DAILY_LIMIT_SOL: { default: '`500`', meaning: 'SOL that one wallet may withdraw in 24 hours' },
  SIGNER_LARGE_SOL: {
    default: '`50`',
    meaning: 'withdrawals to new addresses or after a password change wait 24 hours once they come to this much',
  },
  SIGNER_SWAP_DAILY_SOL: { default: '`5000`', meaning: 'SOL that the swaps of one wallet may move in 24 hours' },
  SIGNER_SWAP_DAILY_TOTAL_SOL: {
    default: '`500000`',
    meaning:
      'SOL that the swaps of all wallets may move in 24 hours; half is kept for wallets that moved a tenth of theirs',
  },
  SIGNER_EXPORTS_DAILY: {
    default: '`200`',
    meaning:
      'wallets whose keys may be shown in 24 hours; those of further ones wait for their turn, each with an alarm',
  },
  SIGNER_EXPORT_DELAY_SECONDS: {
    default: '`86400`',
    meaning: 'how long the export of a key waits whose wallet holds, or moved within a day, `SIGNER_LARGE_SOL` or more',
  },
  SIGNER_RESETS_DAILY: {
    default: '`200`',
    meaning:
      'wallets whose password may be reset in 24 hours; one more stops withdrawals and exports of those that were reset',
  },
  SIGNER_FORGED_HOURLY: {
    default: '`100`',
    meaning: 'requests in an hour that no honest server makes, at most five per wallet; then their kind is stopped',
  },
  SIGNER_WITHDRAWALS_DAILY_TOTAL_SOL: {
    default: '`20000`',
    meaning: 'SOL that all wallets may withdraw in 24 hours, half of it at once; what is beyond waits for its turn',
  },
  SIGNER_COMMIT_FINAL_SECONDS: {
    default: '`20`',
    meaning: 'a commit to a strategy counts when the server calls it final, but not earlier than this after signing',
  },
  SIGNER_RETURN_DAILY_SOL: {
    default: '`1000`',
    meaning:
      'SOL that a strategy wallet may return in 24 hours to commits younger than a day, beyond 1.5 times a commit, or again',
  },
  SIGNER_RETURN_DAILY_TOTAL_SOL: {
    default: '`20000`',
    meaning: 'the same for all strategy wallets together; half is kept for those that returned a tenth of theirs',
  },
  SIGNER_STRATEGY_TURNOVER: {
    default: '`3`',
    meaning: 'a strategy wallet buys for at most this many times its commits in 24 hours',
  },
  SIGNER_ORIGINS: {
    default: 'set by the launcher: `PUBLIC_ORIGIN`, or `http://localhost` with the port',
    meaning: 'where the web app is opened, comma between several: a passkey used anywhere else is refused',
  },
  SIGNER_RP_ID: {
    default: 'the host of the first origin',
    meaning: 'the domain that passkeys belong to; after a change those enrolled before are lost',
  },
  SIGNER_RECOVERY_SECONDS: {
    default: '`259200`',
    meaning: 'how long an owner waits who has lost all second factors',
  },
  SIGNER_RECOVERIES_MAX: {
    default: '`50`',
    meaning:
      'how many such recoveries may end within `SIGNER_RECOVERY_SECONDS`; further ones wait for their turn, and each is an alarm',
  },
  SIGNER_VENUE_KEY: {
    default: 'made by the launcher; needed with `SOLANA_RPC_URL`',
    meaning: 'the key by which the venue certifies its pools: no swap pays anybody else',
  },
  SIGNER_THREADS: { default: 'one per core, at most `8`', meaning: 'signing threads beside the main one, `0` to `9`' },
  SIGNER_PAST: {
    default: 'set by the launcher for the first start of local mode',
    meaning: '`yes` while a past is being made: limits count in its time, which the launcher tells',
  },
  SIGNER_SOCKET: {
    default: 'set by the launcher',
    meaning: 'between signer and server: a path, `unix:/path`, or `tls://host:port` with certificates on both sides',
  },
  SIGNER_ROLE: {
    default: '`active`',
    meaning: '`standby` for a signer that keeps the log of another until it is promoted',
  },
  SIGNER_STANDBY: {
    default: 'none',
    meaning:
      'where the standby of this signer listens; nothing is signed while it cannot be reached; `none` once it was given up',
  },
  SIGNER_STANDBY_TOKEN: {
    default: 'none',
    meaning: 'shared by a signer and its standby and by nobody else, at least 32 characters',
  },
  SIGNER_SOCKET_SHARED: {
    default: 'set by the launcher',
    meaning: '`yes` where the server runs under another user: then the folder of the socket says who may connect',
  },
  SIGNER_TOKEN: { default: 'new at every start', meaning: 'shared by signer and server, at least 32 characters' },
  SIGNER_ENVIRONMENT: {
    default: 'set by the launcher',
    meaning: 'name that sealed keys are bound to: a key of one environment does not open in another',
  },
} as const satisfies Record<string, { default: string; meaning: string }>;

/** Throws with a line for each variable that is wrong or missing. */
export function readConfig(env: NodeJS.ProcessEnv): SignerConfig {
  const read = new EnvironmentReader(env);
  const accessToken = read.needed('SIGNER_TOKEN');
  if (accessToken.length < 32) read.fault('SIGNER_TOKEN', 'must have at least 32 characters', '');
  const environment = read.needed('SIGNER_ENVIRONMENT');
  // It becomes a part of the text that binds sealed keys, where the separator must stay unambiguous.
  if (!/^[A-Za-z0-9_.-]{1,32}$/.test(environment)) read.fault('SIGNER_ENVIRONMENT', 'must be a plain short name', '');
  // Used by the settings, which keep what the first start brings: a time that is none would never be over.
  read.whole('SIGNER_CHANGE_DELAY_SECONDS', 86_400);
  const config: SignerConfig = {
    endpoint: endpoint(read, 'SIGNER_SOCKET', read.needed('SIGNER_SOCKET')),
    ...standbyOf(read),
    isSocketShared: env.SIGNER_SOCKET_SHARED === 'yes',
    accessToken,
    operatorTokens: operatorTokens(read, accessToken),
    dataDir: read.needed('DATA_DIR'),
    environment,
    limits: {
      dailyLamports: read.sol('SIGNER_DAILY_LIMIT_SOL', 500n),
      largeLamports: read.sol('SIGNER_LARGE_SOL', 50n),
      totalLamports: read.sol('SIGNER_WITHDRAWALS_DAILY_TOTAL_SOL', 20_000n),
    },
    swapCeilings: {
      walletLamports: read.sol('SIGNER_SWAP_DAILY_SOL', 5_000n),
      totalLamports: read.sol('SIGNER_SWAP_DAILY_TOTAL_SOL', 500_000n),
    },
    exportLimits: {
      walletsPerDay: read.whole('SIGNER_EXPORTS_DAILY', 200),
      delayMs: read.whole('SIGNER_EXPORT_DELAY_SECONDS', 86_400) * 1_000,
    },
    resetsPerDay: read.whole('SIGNER_RESETS_DAILY', 200),
    anomalyLimits: { forgedPerHour: read.whole('SIGNER_FORGED_HOURLY', 100) },
    strategy: {
      commitFinalMs: read.whole('SIGNER_COMMIT_FINAL_SECONDS', 20) * 1_000,
      wordLamports: read.sol('SIGNER_RETURN_DAILY_SOL', 1_000n),
      wordTotalLamports: read.sol('SIGNER_RETURN_DAILY_TOTAL_SOL', 20_000n),
      turnover: BigInt(read.whole('SIGNER_STRATEGY_TURNOVER', 3)),
    },
    party: relyingParty(read),
    recovery: {
      delayMs: read.whole('SIGNER_RECOVERY_SECONDS', 259_200) * 1_000,
      places: read.whole('SIGNER_RECOVERIES_MAX', 50),
    },
    venueKey: venueKey(read),
    threads: threads(read),
    isPast: env.SIGNER_PAST === 'yes',
  };
  read.finish();
  return config;
}

/** One token for two callers would make one of them the other: a server an operator, or two operators one. */
function operatorTokens(read: EnvironmentReader, accessToken: string): string[] {
  const names = ['SIGNER_OPERATOR_TOKEN', 'SIGNER_OPERATOR_TOKEN_2'] as const;
  const known = new Map([[accessToken, 'SIGNER_TOKEN']]);
  return names.flatMap((name) => {
    const token = read.text(name);
    if (token === undefined) return [];
    if (known.has(token)) read.fault(name, `must be another one than ${known.get(token)}`, []);
    known.set(token, name);
    return [token];
  });
}

function endpoint(read: EnvironmentReader, name: keyof typeof variables, text: string): Endpoint {
  return readEndpoint(text) ?? read.fault(name, 'must be tls://host:port, unix:/path or a path', { path: '' });
}

function standbyOf(read: EnvironmentReader): Pick<SignerConfig, 'isStandby' | 'standby' | 'signerToken'> {
  const role = read.text('SIGNER_ROLE') ?? 'active';
  const standby = read.text('SIGNER_STANDBY') ?? null;
  const token = read.text('SIGNER_STANDBY_TOKEN') ?? null;
  if (!['active', 'standby'].includes(role)) read.fault('SIGNER_ROLE', 'must be active or standby', role);
  const isOfTwo = role === 'standby' || (standby !== null && standby !== 'none');
  if (isOfTwo && (token ?? '').length < 32)
    read.fault('SIGNER_STANDBY_TOKEN', 'must have at least 32 characters', token);
  if (role === 'standby' && read.text('SIGNER_OPERATOR_TOKEN') === undefined)
    read.fault('SIGNER_OPERATOR_TOKEN', 'must be set: nobody else promotes', '');
  return {
    isStandby: role === 'standby',
    standby: standby === null || standby === 'none' ? standby : endpoint(read, 'SIGNER_STANDBY', standby),
    signerToken: token,
  };
}

function relyingParty(read: EnvironmentReader): RelyingParty {
  const origins = (read.text('SIGNER_ORIGINS') ?? '').split(',').filter((origin) => origin !== '');
  if (origins.some((origin) => URL.parse(origin)?.origin !== origin))
    read.fault('SIGNER_ORIGINS', 'must be origins such as https://hunter.example, with commas between them', []);
  const [first = 'http://localhost'] = origins;
  return { rpId: read.text('SIGNER_RP_ID') ?? URL.parse(first)?.hostname ?? '', origins };
}

function venueKey(read: EnvironmentReader): KeyObject | null {
  const text = read.text('SIGNER_VENUE_KEY');
  if (text === undefined) return null;
  return (
    readVenueKey(text) ?? read.fault('SIGNER_VENUE_KEY', 'must be an Ed25519 public key, 32 bytes in base64url', null)
  );
}

function threads(read: EnvironmentReader): number | null {
  const text = read.text('SIGNER_THREADS');
  if (text === undefined) return null;
  if (!/^\d$/.test(text)) return read.fault('SIGNER_THREADS', 'must be a number from 0 to 9', null);
  return Number(text);
}
