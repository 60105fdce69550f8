import { isIP } from 'node:net';
import { z } from 'zod';
import type { TrustedProxies } from './http/build-server.ts';

export const ROLES = ['api', 'stream', 'engine', 'indexer', 'jobs'] as const;
export type Role = (typeof ROLES)[number];

const url = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/**
 * The environment of the server process, read once. The launcher sets what it knows itself and describes those variables
 * (`apps/launcher/src/configuration.ts`); the others are described here. The table in `docs/operations.md` comes from both.
 */
export const environment = z.object({
  HUNTER_MODE: z.enum(['local', 'production']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  SOLANA_RPC_URL: url(['http:', 'https:']),
  SOLANA_WS_URL: url(['ws:', 'wss:']),
  VENUE_URL: url(['http:', 'https:']),
  VENUE_API_KEY: z.string().optional().describe('key that is sent to the venue with every request'),
  MARKET_SOURCE: z.enum(['chain']).default('chain'),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z.string().default('Hunter <no-reply@localhost>').describe('sender of mails'),
  CHAIN_ID: z.enum(['501', '501_1']).default('501'),
  SIGNER_SOCKET: z.string(),
  SIGNER_TOKEN: z.string().min(32),
  SIGNER_TLS_DIR: z
    .string()
    .optional()
    .describe('folder with `cert.pem`, `key.pem` and `ca.pem`, where SIGNER_SOCKET is `tls://…`'),
  ROLE: z
    .string()
    .default(ROLES.join(','))
    .transform((text, context) => {
      const roles = text.split(',').map((role) => role.trim()) as Role[];
      if (roles.length > 0 && roles.every((role) => ROLES.includes(role))) return roles;
      context.addIssue({ code: 'custom', message: `must be one or several of ${ROLES.join(', ')}` });
      return z.NEVER;
    })
    .describe('what this process does: one or several of `api`, `stream`, `engine`, `indexer`, `jobs`'),
  NATS_URL: url(['nats:', 'tls:'])
    .optional()
    .describe('NATS server over which several processes share one database; without it there is one process'),
  LEASE_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(10)
    .describe('how long another process waits before it takes over from one that does not answer'),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      'how long a process that is asked to stop still serves, not ready any more; longer than the proxy in front needs to see it',
    ),
  OPS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('port of health, readiness and metrics of this process, on loopback unless OPS_HOST says otherwise'),
  OPS_HOST: z.string().default('127.0.0.1').describe('address that OPS_PORT listens on'),
  TRACES_URL: url(['http:', 'https:'])
    .optional()
    .describe('your own OpenTelemetry collector, `http(s)://host:4318/v1/traces`; without it there are no traces'),
  TRACES_PERCENT: z.coerce.number().min(0).max(100).default(10).describe('how many of a hundred traces are sent'),
  SOCKETS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(50)
    .describe('connections of the live stream per address and process; not limited in local mode'),
  STREAM_URL: url(['http:'])
    .optional()
    .describe('where an API process without the role `stream` passes connections of the live stream on to'),
  SERVER_SECRET: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .optional()
    .describe('secret that all servers of a database share, instead of the file `server.secret` of the data folder'),
  RATE_LIMIT_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe('requests per second and address; bursts of ten times as many pass'),
  TRUST_PROXY: z
    .string()
    .default('false')
    .transform((text, context) => {
      const trusted = readTrustedProxies(text);
      if (trusted !== null) return trusted;
      context.addIssue({ code: 'custom', message: 'must be a number of proxies or a list of their addresses' });
      return z.NEVER;
    })
    .describe('proxies in front whose X-Forwarded-For is believed: how many (`1`), or their addresses'),
  PUBLIC_ORIGIN: url(['http:', 'https:']).optional(),
  EXPLORER_URL: url(['http:', 'https:'])
    .refine((text) => text.includes('{id}'), { message: 'must contain {id}' })
    .default('https://explorer.solana.com/{kind}/{id}')
    .describe('explorer of production mode; `{kind}` is `tx` or `address`'),
  PUSH_HOSTS: z
    .string()
    .regex(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/, { message: 'must be names with commas between them' })
    .default('fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com')
    .describe('push services that web push may use, with their subdomains; others are refused'),
  PUSH_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/)/, { message: 'must start with mailto: or https://' })
    .default('mailto:no-reply@localhost')
    .describe('where push services reach the operator'),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^[\w:-]{1,100}$/, { message: 'must be the token of a bot' })
    .optional()
    .describe('token of the Telegram bot that sends notifications; without it Telegram is not offered'),
  TELEGRAM_API_URL: url(['http:', 'https:'])
    .default('https://api.telegram.org')
    .describe('where the bot API of Telegram is'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('`debug`, `info`, `warn`, `error` or `silent`'),
  PAST_CLOCK_URL: url(['http:'])
    .optional()
    .describe('set by the launcher in the first start of local mode: whose clock to follow while a past is made'),
  WEB_DIR: z.string().optional().describe("folder of the built web app, where it is another than the project's own"),
});

export type Config = Omit<z.output<typeof environment>, 'HOST'> & {
  HOST: string;
  local: boolean;
};

/** Never all of them: whoever reaches the server could then claim any address. Null where the text is neither. */
function readTrustedProxies(text: string): TrustedProxies | null {
  if (text === 'false' || text === '0') return false;
  if (/^[1-9]$/.test(text)) return Number(text);
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every((address) => isIP(address.replace(/\/\d{1,3}$/, '')) !== 0) ? addresses : null;
}

/** A line for each variable that is wrong or missing. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** An empty variable counts as absent: that is how shells and container files unset one. No line repeats a value. */
export function readConfig(given: NodeJS.ProcessEnv): Config {
  const variables = Object.fromEntries(Object.entries(given).filter(([, value]) => value?.trim()));
  const result = environment.safeParse(variables);
  const faults = new Map<string, string>();
  for (const { path, message } of result.error?.issues ?? []) {
    const name = String(path[0]);
    if (!faults.has(name)) faults.set(name, variables[name] === undefined ? 'is not set' : `is not valid: ${message}`);
  }
  const need = (name: keyof typeof environment.shape, why: string): void => {
    if (variables[name] === undefined) faults.set(name, `is not set; ${why}`);
  };
  if ((variables['HUNTER_MODE'] ?? 'production') === 'production') {
    need('SMTP_URL', 'production mode needs it to send codes');
    need('PUBLIC_ORIGIN', 'production mode needs it for links in mails');
  }
  const roles = environment.shape.ROLE.safeParse(variables['ROLE']);
  if (roles.success && roles.data.length < ROLES.length) {
    need('NATS_URL', 'a process with a part of the roles needs it to reach the others');
  }
  if (variables['SIGNER_SOCKET']?.startsWith('tls://')) {
    need('SIGNER_TLS_DIR', 'a signer at tls:// asks for a certificate');
  }
  if (!result.success || faults.size > 0) {
    throw new ConfigError(Array.from(faults, ([name, fault]) => `${name} ${fault}`));
  }
  const { HOST, ...rest } = result.data;
  const local = rest.HUNTER_MODE === 'local';
  return { ...rest, HOST: HOST ?? (local ? '127.0.0.1' : '0.0.0.0'), local };
}
