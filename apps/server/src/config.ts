import { z } from 'zod';

const url = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/** The environment of the server process, read once. In local mode the launcher sets all of it. */
const environment = z.object({
  HUNTER_MODE: z.enum(['local', 'production']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  SOLANA_RPC_URL: url(['http:', 'https:']),
  SOLANA_WS_URL: url(['ws:', 'wss:']),
  VENUE_URL: url(['http:', 'https:']),
  VENUE_API_KEY: z.string().optional(),
  MARKET_SOURCE: z.enum(['chain']).default('chain'),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z.string().default('Hunter <no-reply@localhost>'),
  CHAIN_ID: z.enum(['501', '501_1']).default('501'),
  SIGNER_SOCKET: z.string(),
  SIGNER_TOKEN: z.string().min(32),
  /** Requests per second and address; bursts of ten times as many pass. */
  RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(100),
  /** Set where a proxy in front adds X-Forwarded-For; otherwise that header is ignored. */
  TRUST_PROXY: z.enum(['true', 'false']).default('false'),
  PUBLIC_ORIGIN: url(['http:', 'https:']).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  WEB_DIR: z.string().optional(),
  /** Local mode only: creators and followers who live on the local chain. */
  SIMULATED_STRATEGIES: z.enum(['on', 'off']).default('on'),
});

export type Config = Omit<z.output<typeof environment>, 'TRUST_PROXY'> & { TRUST_PROXY: boolean; local: boolean };

export class ConfigError extends Error {
  override name = 'ConfigError';
}

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const result = environment.safeParse(variables);
  if (!result.success) {
    const issue = result.error.issues[0];
    const name = String(issue?.path[0]);
    const problem = variables[name] === undefined ? 'is not set' : `is not valid: ${issue?.message}`;
    throw new ConfigError(`The environment variable ${name} ${problem}`);
  }
  const { TRUST_PROXY, ...rest } = result.data;
  if (rest.HUNTER_MODE === 'production' && !rest.SMTP_URL) {
    throw new ConfigError('The environment variable SMTP_URL is not set; production mode needs it to send codes');
  }
  return { ...rest, TRUST_PROXY: TRUST_PROXY === 'true', local: rest.HUNTER_MODE === 'local' };
}
