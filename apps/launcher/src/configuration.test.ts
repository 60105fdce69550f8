import { describe, expect, it } from 'vitest';
import { ConfigurationError, parseConfiguration, withoutEmpty, type Environment } from './configuration.ts';

const parse = (environment: Environment) => parseConfiguration(environment, '/srv/hunter');

function linesOf(environment: Environment): readonly string[] {
  try {
    parse(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

const production = {
  HUNTER_MODE: 'production',
  DATABASE_URL: 'postgresql://hunter@db/hunter',
  SOLANA_RPC_URL: 'https://rpc.example/?key=1',
  VENUE_URL: 'https://venue.example',
  MARKET_SOURCE: 'chain',
  SMTP_URL: 'smtps://mail.example',
  PUBLIC_ORIGIN: 'https://hunter.example',
};

describe('the configuration', () => {
  it('needs nothing at all for local mode', () => {
    expect(parse({})).toEqual({
      mode: 'local',
      port: 3000,
      host: undefined,
      dataDirectory: '/srv/hunter/data',
      databaseUrl: undefined,
      chain: {
        kind: 'embedded',
        port: 8899,
        portIsFixed: false,
        market: true,
        marketSeed: undefined,
        tradesPerSecond: undefined,
        pastTrades: undefined,
        historyGb: undefined,
        people: true,
        past: true,
      },
      marketSource: 'chain',
      smtpUrl: undefined,
      chainId: '501_1',
    });
  });

  it('takes an empty variable as absent', () => {
    expect(parse({ PORT: '', DATA_DIR: ' ' })).toMatchObject({ port: 3000, dataDirectory: '/srv/hunter/data' });
  });

  it('hands no part an empty variable: an empty HOST would listen everywhere, an empty operator token be none', () => {
    expect(withoutEmpty({ HOST: '', SIGNER_OPERATOR_TOKEN: ' ', PORT: '3000', MAIL_FROM: undefined })).toEqual({
      PORT: '3000',
    });
  });

  it('says one line for every variable that is wrong', () => {
    expect(linesOf({ PORT: 'http', LOCALNET_PORT: '65535', CHAIN_ID: '1', MARKET_TRADES_PER_SECOND: '-1' })).toEqual([
      'LOCALNET_PORT must be a port between 1 and 65534, but is "65535"',
      'PORT must be a port between 1 and 65535, but is "http"',
      'MARKET_TRADES_PER_SECOND must be a number of trades such as 5 or 0.5, but is "-1"',
      'CHAIN_ID must be 501 or 501_1, but is "1"',
    ]);
  });

  it('never repeats an address, which may hold a password', () => {
    const lines = linesOf({ DATABASE_URL: 'mysql://root:secret@db' });
    expect(lines).toEqual(['DATABASE_URL must be an address that begins with postgres:// or postgresql://']);
  });

  it('is production where that is said', () => {
    expect(parse(production)).toMatchObject({
      mode: 'production',
      chainId: '501',
      chain: { kind: 'outside', wsUrl: 'wss://rpc.example/?key=1' },
    });
  });

  it('never guesses the mode of an outside chain', () => {
    const { HUNTER_MODE: _mode, ...unsaid } = production;
    const line = 'HUNTER_MODE is missing: an outside SOLANA_RPC_URL needs it, local or production';
    expect(linesOf(unsaid)).toEqual([line]);
    const { SOLANA_RPC_URL, VENUE_URL } = production;
    expect(linesOf({ SOLANA_RPC_URL, VENUE_URL })).toEqual([line]);
  });

  it('names everything that production lacks', () => {
    const { HUNTER_MODE, DATABASE_URL, SOLANA_RPC_URL } = production;
    expect(linesOf({ HUNTER_MODE, DATABASE_URL, SOLANA_RPC_URL }).map((line) => line.split(' ')[0])).toEqual([
      'VENUE_URL',
      'MARKET_SOURCE',
      'SMTP_URL',
      'PUBLIC_ORIGIN',
    ]);
  });

  it('uses an outside database in local mode when only that is given', () => {
    expect(parse({ DATABASE_URL: production.DATABASE_URL })).toMatchObject({
      mode: 'local',
      databaseUrl: production.DATABASE_URL,
      chain: { kind: 'embedded' },
    });
  });

  it('finds the WebSocket of a node with its own port on the next one', () => {
    const localnet = { SOLANA_RPC_URL: 'http://127.0.0.1:8899', VENUE_URL: 'http://127.0.0.1:9000' };
    expect(parse({ HUNTER_MODE: 'local', ...localnet }).chain).toMatchObject({ wsUrl: 'ws://127.0.0.1:8900/' });
  });

  it('refuses a venue without its chain', () => {
    expect(linesOf({ VENUE_URL: 'http://127.0.0.1:1' })).toEqual(['VENUE_URL needs SOLANA_RPC_URL beside it']);
  });
});
