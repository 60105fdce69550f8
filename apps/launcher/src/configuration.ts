import { resolve } from 'node:path';

export type EmbeddedChain = {
  readonly kind: 'embedded';
  readonly port: number;
  /** Set by hand: then a taken port is an error instead of a reason to look for another. */
  readonly portIsFixed: boolean;
  /** Whether simulated traders trade; off leaves the chain and the venue alone. */
  readonly market: boolean;
  readonly marketSeed: string | undefined;
  readonly tradesPerSecond: string | undefined;
  readonly pastTrades: string | undefined;
  readonly historyGb: string | undefined;
  /** Whether simulated people publish strategies and follow each other. */
  readonly people: boolean;
  /** Whether they have a week behind them at the first start. */
  readonly past: boolean;
};

export type OutsideChain = {
  readonly kind: 'outside';
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly venueUrl: string;
};

export type Configuration = {
  readonly mode: 'local' | 'production';
  readonly port: number;
  /** Undefined leaves it to the server, which knows one for each mode. */
  readonly host: string | undefined;
  readonly dataDirectory: string;
  /** Undefined means the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly chain: EmbeddedChain | OutsideChain;
  readonly marketSource: 'chain';
  readonly smtpUrl: string | undefined;
  readonly chainId: '501' | '501_1';
};

/** Every variable that is wrong, one line each. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as absent for every part: that is how shells and container files unset one. */
export function withoutEmpty(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  );
}

/** What an operator may set for the whole product; the table in `docs/operations.md` comes from here. */
export const variables = {
  PORT: { default: '`3000`', meaning: 'where the web app and the API listen' },
  DATA_DIR: { default: '`data`', meaning: 'everything that is kept; relative paths start at the current folder' },
  HOST: {
    default: '`127.0.0.1` (local), `0.0.0.0` (production)',
    meaning: 'address to listen on; local mode has an open mailbox and an open invite, so it is for this machine only',
  },
  HUNTER_MODE: { default: '`local`', meaning: '`local` or `production`; never guessed: `SOLANA_RPC_URL` needs it' },
  DATABASE_URL: { default: 'embedded', meaning: 'an outside PostgreSQL 18, `postgresql://…`' },
  SOLANA_RPC_URL: { default: 'embedded', meaning: 'an outside Hunter localnet, `http(s)://…`' },
  SOLANA_WS_URL: {
    default: 'beside the RPC address',
    meaning:
      'its WebSocket, `ws(s)://…`; by default the next port where the RPC address has one, else the same address',
  },
  VENUE_URL: { default: 'embedded', meaning: 'where swaps are ordered; required with `SOLANA_RPC_URL`' },
  MARKET_SOURCE: {
    default: '`chain`',
    meaning: "`chain` indexes the venue's trades; other sources are not built; required in production mode",
  },
  SMTP_URL: { default: 'local mailbox', meaning: '`smtp(s)://…` for verification codes' },
  PUBLIC_ORIGIN: {
    default: 'none; required in production mode',
    meaning: 'address that users open; requests under other names than it, `localhost` and addresses are refused',
  },
  CHAIN_ID: { default: '`501_1` (local), `501` (production)', meaning: 'the chain id that the API accepts' },
  LOCALNET_PORT: {
    default: '`8899`',
    meaning: 'port of the embedded Solana node, its WebSocket on the next; a free pair where taken and not set by hand',
  },
  LOCALNET_MARKET: { default: '`on`', meaning: '`off` runs the embedded chain without simulated traders' },
  LOCALNET_HISTORY_GB: {
    default: '`20`',
    meaning: "how much of the embedded chain's past stays on disk; `0` keeps all of it",
  },
  SIMULATED_STRATEGIES: {
    default: '`on`',
    meaning: '`off` leaves out the simulated creators and followers; only local mode with the embedded chain has them',
  },
  SIMULATED_PAST: {
    default: '`on`',
    meaning: '`off` starts them with nothing behind them, instead of a week that the first start makes for them',
  },
  MARKET_SEED: { default: '`hunter`', meaning: 'seed of the simulated market: the same one gives the same market' },
  MARKET_PAST_TRADES: {
    default: '`375`',
    meaning: 'trades of each lively token in the generated week before the first start; with fewer it starts sooner',
  },
  MARKET_TRADES_PER_SECOND: { default: '`4`', meaning: 'trades per second of the simulated market' },
} as const satisfies Record<string, { default: string; meaning: string }>;

type VariableName = keyof typeof variables;

/** The only place that reads the environment; `directory` is what a relative DATA_DIR is relative to. */
export function parseConfiguration(environment: Environment, directory: string): Configuration {
  const read = new Reader(environment);
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const rpcUrl = read.url('SOLANA_RPC_URL', ['http:', 'https:']);
  const wsUrl = read.url('SOLANA_WS_URL', ['ws:', 'wss:']);
  const venueUrl = read.url('VENUE_URL', ['http:', 'https:']);
  const marketSource = read.oneOf('MARKET_SOURCE', ['chain']);
  read.url('PUBLIC_ORIGIN', ['http:', 'https:']);
  const smtpUrl = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  const localnetPort = read.port('LOCALNET_PORT', 65_534);
  const mode = read.oneOf('HUNTER_MODE', ['local', 'production']) ?? 'local';
  // Local mode has an open mailbox and an open invite: whether an outside chain may have that is never guessed.
  if (rpcUrl !== undefined)
    read.need('HUNTER_MODE', 'is missing: an outside SOLANA_RPC_URL needs it, local or production');

  if (mode === 'production') {
    const why = 'is missing: production mode needs it';
    read.need('DATABASE_URL', `${why} (a PostgreSQL 18 server)`);
    read.need('SOLANA_RPC_URL', `${why} (a Solana JSON-RPC node)`);
    read.need('VENUE_URL', `${why} (where swaps are ordered)`);
    read.need('MARKET_SOURCE', `${why} ("chain" indexes the venue's own trades)`);
    read.need('SMTP_URL', `${why} (verification codes are sent by mail)`);
    read.need('PUBLIC_ORIGIN', `${why} (links in mails lead there, and passkeys belong to it)`);
  } else if (rpcUrl !== undefined) {
    read.need('VENUE_URL', 'is missing: it goes with SOLANA_RPC_URL');
  } else {
    for (const name of ['SOLANA_WS_URL', 'VENUE_URL'] as const) read.refuse(name, 'needs SOLANA_RPC_URL beside it');
  }

  const configuration: Configuration = {
    mode,
    port: read.port('PORT') ?? 3000,
    host: read.text('HOST'),
    dataDirectory: resolve(directory, read.text('DATA_DIR') ?? 'data'),
    databaseUrl,
    chain:
      rpcUrl === undefined
        ? {
            kind: 'embedded',
            port: localnetPort ?? 8899,
            portIsFixed: localnetPort !== undefined,
            market: read.oneOf('LOCALNET_MARKET', ['on', 'off']) !== 'off',
            marketSeed: read.pattern('MARKET_SEED', /^[\w-]{1,64}$/, 'letters, digits, "-" and "_", at most 64'),
            tradesPerSecond: read.pattern(
              'MARKET_TRADES_PER_SECOND',
              /^\d{1,5}(\.\d{1,3})?$/,
              'a number of trades such as 5 or 0.5',
            ),
            pastTrades: read.pattern('MARKET_PAST_TRADES', /^[1-9]\d{0,3}$/, 'a number of trades from 1 to 9999'),
            historyGb: read.pattern('LOCALNET_HISTORY_GB', /^\d{1,5}(\.\d{1,3})?$/, 'a number of gigabytes'),
            people: read.oneOf('SIMULATED_STRATEGIES', ['on', 'off']) !== 'off' && mode === 'local',
            past: read.oneOf('SIMULATED_PAST', ['on', 'off']) !== 'off',
          }
        : { kind: 'outside', rpcUrl, wsUrl: wsUrl ?? webSocketBeside(rpcUrl), venueUrl: venueUrl ?? '' },
    marketSource: marketSource ?? 'chain',
    smtpUrl,
    chainId: read.oneOf('CHAIN_ID', ['501', '501_1']) ?? (mode === 'production' ? '501' : '501_1'),
  };
  read.finish();
  return configuration;
}

/** Solana nodes on a port of their own listen for WebSockets on the next one; hosted ones share the address. */
function webSocketBeside(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') url.port = String(Number(url.port) + 1);
  return url.href;
}

class Reader {
  readonly #environment: Environment;
  readonly #problems = new Map<string, string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: VariableName): string | undefined {
    return this.#environment[name]?.trim() || undefined;
  }

  pattern(name: VariableName, pattern: RegExp, expected: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || pattern.test(value)) return value;
    return this.#fault(name, `must be ${expected}, but is "${value}"`);
  }

  port(name: VariableName, max = 65_535): number | undefined {
    const value = this.pattern(name, /^\d{1,5}$/, `a port between 1 and ${max}`);
    if (value === undefined) return undefined;
    const port = Number(value);
    return port >= 1 && port <= max
      ? port
      : this.#fault(name, `must be a port between 1 and ${max}, but is "${value}"`);
  }

  /** The value may hold a password, so the message never repeats it. */
  url(name: VariableName, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const protocol = URL.canParse(value) ? new URL(value).protocol : '';
    if (protocols.includes(protocol)) return value;
    return this.#fault(name, `must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  }

  oneOf<const T extends string>(name: VariableName, values: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const known = values.find((candidate) => candidate === value);
    return known ?? this.#fault(name, `must be ${values.join(' or ')}, but is "${value}"`);
  }

  need(name: VariableName, complaint: string): void {
    if (this.text(name) === undefined) this.#fault(name, complaint);
  }

  refuse(name: VariableName, complaint: string): void {
    if (this.text(name) !== undefined) this.#fault(name, complaint);
  }

  finish(): void {
    if (this.#problems.size > 0) {
      throw new ConfigurationError([...this.#problems].map(([name, complaint]) => `${name} ${complaint}`));
    }
  }

  #fault(name: string, complaint: string): undefined {
    if (!this.#problems.has(name)) this.#problems.set(name, complaint);
    return undefined;
  }
}
