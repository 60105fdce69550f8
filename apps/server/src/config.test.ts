import { expect, it } from 'vitest';
import { type ConfigError, readConfig } from './config.ts';

const environment = {
  DATABASE_URL: 'postgresql://db/hunter',
  SOLANA_RPC_URL: 'http://127.0.0.1:8899',
  SOLANA_WS_URL: 'ws://127.0.0.1:8900',
  VENUE_URL: 'http://127.0.0.1:9000',
  SIGNER_SOCKET: '/run/signer.sock',
  SIGNER_TOKEN: 'x'.repeat(32),
  SMTP_URL: 'smtp://mail.example',
  PUBLIC_ORIGIN: 'https://hunter.example',
};

it('listens on this machine only in local mode, and everywhere in production mode', () => {
  expect(readConfig({ ...environment, HUNTER_MODE: 'local' }).HOST).toBe('127.0.0.1');
  expect(readConfig({ ...environment, HUNTER_MODE: 'production' }).HOST).toBe('0.0.0.0');
  expect(readConfig({ ...environment, HUNTER_MODE: 'local', HOST: '0.0.0.0' }).HOST).toBe('0.0.0.0');
});

it('is production mode where nobody said which', () => {
  expect(readConfig(environment).local).toBe(false);
});

it('starts in production mode only where it knows how to send mails and where their links lead', () => {
  for (const name of ['SMTP_URL', 'PUBLIC_ORIGIN']) {
    expect(() => readConfig({ ...environment, [name]: undefined })).toThrow(`${name} is not set`);
    expect(readConfig({ ...environment, [name]: undefined, HUNTER_MODE: 'local' }).local).toBe(true);
  }
});

it('names every variable that is wrong or missing, and no value', () => {
  const { DATABASE_URL: _url, SMTP_URL: _smtp, ...rest } = environment;
  const wrong = {
    SIGNER_TOKEN: 'a-short-secret',
    SERVER_SECRET: 'not-sixty-four-digits',
    EXPLORER_URL: 'gopher:secret',
    ROLE: 'api',
    SIGNER_SOCKET: 'tls://signer:1',
  };
  const lines = (() => {
    try {
      readConfig({ ...rest, ...wrong });
    } catch (error) {
      return (error as ConfigError).lines;
    }
    return [];
  })();
  expect(lines.map((line) => line.split(/[:;]/)[0])).toEqual([
    'DATABASE_URL is not set',
    'SIGNER_TOKEN is not valid',
    'SERVER_SECRET is not valid',
    'EXPLORER_URL is not valid',
    'SMTP_URL is not set',
    'NATS_URL is not set',
    'SIGNER_TLS_DIR is not set',
  ]);
  expect(lines.join()).not.toMatch(/a-short|sixty|secret/);
});

it('trusts a number of proxies or those of a list, and never all', () => {
  const trusted = (TRUST_PROXY: string) => readConfig({ ...environment, TRUST_PROXY }).TRUST_PROXY;
  expect(readConfig(environment).TRUST_PROXY).toBe(false);
  expect(['false', '2', '10.0.0.5, fd00::/8'].map(trusted)).toEqual([false, 2, ['10.0.0.5', 'fd00::/8']]);
  for (const bad of ['true', 'yes', '10.0.0.5,', 'proxy.example']) {
    expect(() => trusted(bad), bad).toThrow('TRUST_PROXY is not valid: must be a number of proxies or a list');
  }
});

it('takes an empty variable as absent', () => {
  const empty = {
    HOST: '',
    OPS_PORT: ' ',
    OPS_HOST: '',
    NATS_URL: '',
    DRAIN_SECONDS: '',
    TRUST_PROXY: '',
    LOG_LEVEL: '',
  };
  expect(readConfig({ ...environment, ...empty, HUNTER_MODE: 'local' })).toEqual(
    readConfig({ ...environment, HUNTER_MODE: 'local' }),
  );
  expect(() => readConfig({ ...environment, SMTP_URL: '' })).toThrow('SMTP_URL is not set');
});
