import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfiguration, type Environment } from './configuration.ts';
import { productEndpoints, productParts, productServices, signerSocket, type ProductInput } from './product.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-product-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ports = { web: 3000, rpc: 8899, venue: 9000 };
const outside = {
  HUNTER_MODE: 'production',
  DATABASE_URL: 'postgresql://db/hunter',
  SOLANA_RPC_URL: 'https://rpc.example',
  VENUE_URL: 'https://venue.example',
  MARKET_SOURCE: 'chain',
  SMTP_URL: 'smtp://mail.example',
  PUBLIC_ORIGIN: 'https://hunter.example',
};

const partsWith = (environment: Environment, past?: ProductInput['past']) =>
  productServices({
    ...(past === undefined ? {} : { past }),
    configuration: parseConfiguration({ ...environment, DATA_DIR: folder }, folder),
    ports,
    inherited: {},
    childrenFile: join(folder, 'children.json'),
    report: () => {},
  }).map(({ name, needs }) => ({ name, needs }));

const environments = async (inherited: Record<string, string>) => {
  const seen = new Map<string, { args: readonly string[]; environment: Readonly<Record<string, string>> }>();
  const facts = new Map([['postgres', { url: 'postgresql://127.0.0.1/hunter' }]]);
  for (const { name, command } of productParts({
    configuration: parseConfiguration({ DATA_DIR: folder }, folder),
    ports,
    inherited,
    childrenFile: join(folder, 'children.json'),
    report: () => {},
  })) {
    seen.set(name, command(facts));
  }
  return seen;
};

describe('the parts of the product', () => {
  it('are all its own in local mode, with the server after those it cannot do without', () => {
    expect(partsWith({})).toEqual([
      { name: 'postgres', needs: [] },
      { name: 'localnet', needs: [] },
      { name: 'signer', needs: [] },
      { name: 'server', needs: ['postgres'] },
    ]);
  });

  it('have the signer before the server where a past is made, in which people register at once', () => {
    const server = partsWith({}, { webPort: 3001, onProcess: () => {} }).at(-1);
    expect(server).toEqual({ name: 'server', needs: ['postgres', 'signer'] });
  });

  it('outlive the servers that trade with them, also where a server does not wait for them to start', () => {
    const servers = productParts({
      configuration: parseConfiguration({ DATA_DIR: folder }, folder),
      processes: ['api', 'engine'].map((name) => ({ name, environment: {} })),
      ports,
      inherited: {},
      childrenFile: join(folder, 'children.json'),
      report: () => {},
    }).filter(({ name }) => ['api', 'engine'].includes(name));
    expect(servers.map(({ uses }) => uses)).toEqual([
      ['signer', 'localnet'],
      ['signer', 'localnet'],
    ]);
  });

  it('let the signer keep its compiled code where no other part may write', async () => {
    const seen = await environments({});
    const [signer, server] = ['signer', 'server'].map((name) => seen.get(name)!);
    const compiled = signer!.environment['NODE_COMPILE_CACHE'];
    expect(signer!.args).toContain(`--allow-fs-write=${compiled}`);
    expect(statSync(compiled!).mode & 0o077).toBe(0);
    expect(server!.environment['NODE_COMPILE_CACHE']).not.toBe(compiled);
  });

  it('give a server time to drain before it is ended', () => {
    const drainMs = (inherited: Record<string, string>) =>
      productParts({
        configuration: parseConfiguration({ DATA_DIR: folder }, folder),
        ports,
        inherited,
        childrenFile: join(folder, 'children.json'),
        report: () => {},
      }).map((part) => [part.name, part.drainMs]);
    expect(drainMs({ DRAIN_SECONDS: '15' })).toEqual([
      ['localnet', 10_000],
      ['signer', 10_000],
      ['server', 25_000],
    ]);
    expect(drainMs({}).at(-1)).toEqual(['server', 10_000]);
  });

  it('leave out what production brings along', () => {
    expect(partsWith(outside).map(({ name }) => name)).toEqual(['signer', 'server']);
    expect(partsWith({ DATABASE_URL: outside.DATABASE_URL }).map(({ name }) => name)).toEqual([
      'localnet',
      'signer',
      'server',
    ]);
  });
});

describe('the simulated people', () => {
  const webOf = (environment: Record<string, string>) => {
    const [localnet] = productParts({
      configuration: parseConfiguration({ ...environment, DATA_DIR: folder }, folder),
      ports,
      inherited: environment,
      childrenFile: join(folder, 'children.json'),
      report: () => {},
    });
    return localnet?.command(new Map()).environment['LOCALNET_PEOPLE_WEB'];
  };

  it('are told where the product is, unless they or the market are off', () => {
    expect(webOf({})).toBe('http://127.0.0.1:3000');
    expect(webOf({ HOST: '0.0.0.0' })).toBe('http://127.0.0.1:3000');
    expect(webOf({ HOST: '192.168.1.5' })).toBe('http://192.168.1.5:3000');
    expect(webOf({ HOST: '::1' })).toBe('http://[::1]:3000');
    expect(webOf({ SIMULATED_STRATEGIES: 'off' })).toBeUndefined();
    expect(webOf({ LOCALNET_MARKET: 'off' })).toBeUndefined();
  });
});

describe("the operator's token", () => {
  const access = () => JSON.parse(readFileSync(join(folder, 'operator.json'), 'utf8')) as { signerToken: string };
  it('is a new one that only the signer and the owner of the data folder know', async () => {
    const seen = await environments({});
    const token = seen.get('signer')?.environment['SIGNER_OPERATOR_TOKEN'] ?? '';
    expect(token).toHaveLength(43);
    expect(access().signerToken).toBe(token);
    expect(statSync(join(folder, 'operator.json')).mode & 0o777).toBe(0o600);
    expect(Object.values(seen.get('server')?.environment ?? {})).not.toContain(token);
    expect(seen.get('signer')?.environment['SIGNER_TOKEN']).not.toBe(token);
    expect(seen.get('signer')?.args).toContain('--disable-sigusr1');
  });

  it('comes with the key of the embedded venue, the same at every start', async () => {
    const first = (await environments({})).get('signer')?.environment['SIGNER_VENUE_KEY'];
    expect(first).toMatch(/^[\w-]{43}$/);
    expect((await environments({})).get('signer')?.environment['SIGNER_VENUE_KEY']).toBe(first);
    expect(statSync(join(folder, 'localnet', 'venue-key.pem')).mode & 0o777).toBe(0o600);
  });

  it('is the one that was set from outside, and still not for the server', async () => {
    const seen = await environments({ SIGNER_OPERATOR_TOKEN: 'chosen-by-the-operator' });
    expect(access().signerToken).toBe('chosen-by-the-operator');
    expect(JSON.stringify(seen.get('server'))).not.toContain('chosen-by-the-operator');
  });
});

describe('the addresses of an instance', () => {
  it('are those of its own parts in local mode', () => {
    const facts = new Map([['postgres', { url: 'postgresql://hunter:x@127.0.0.1:5/hunter' }]]);
    expect(productEndpoints(parseConfiguration({}, folder), ports, facts)).toEqual({
      web: 'http://localhost:3000',
      rpc: 'http://127.0.0.1:8899',
      rpcWs: 'ws://127.0.0.1:8900',
      venue: 'http://127.0.0.1:9000',
      postgres: 'postgresql://hunter:x@127.0.0.1:5/hunter',
    });
  });

  it('are those it was given in production', () => {
    expect(productEndpoints(parseConfiguration(outside, folder), ports, new Map())).toMatchObject({
      rpc: outside.SOLANA_RPC_URL,
      venue: outside.VENUE_URL,
      postgres: outside.DATABASE_URL,
    });
  });
});

describe("the signer's socket", () => {
  it('lies in the data folder, or in a short private one where that path is too long for a socket', () => {
    expect(signerSocket(folder)).toBe(join(folder, 'signer', 'signer.sock'));
    const deep = join(folder, 'deep'.repeat(30));
    expect(signerSocket(deep, folder)).toMatch(/hunter-[0-9a-f]{16}\/signer\.sock$/);
    expect(signerSocket(deep, folder)).toBe(signerSocket(deep, folder));
  });

  it('does not lie in a folder that somebody else made, opened or put a link in the place of', () => {
    const deep = join(folder, 'deep'.repeat(30));
    const own = dirname(signerSocket(deep, folder));
    chmodSync(own, 0o777);
    expect(() => signerSocket(deep, folder)).toThrow('was made by somebody else');
    rmSync(own, { recursive: true });
    mkdirSync(join(folder, 'of-a-stranger'), { mode: 0o700 });
    symlinkSync(join(folder, 'of-a-stranger'), own);
    expect(() => signerSocket(deep, folder)).toThrow('was made by somebody else');
    rmSync(own);
    expect(dirname(signerSocket(deep, folder))).toBe(own);
    if (process.getuid?.() !== 0) return;
    chownSync(own, 4_242, 4_242);
    expect(() => signerSocket(deep, folder)).toThrow('was made by somebody else');
    // The signer's own user has it from an earlier start.
    expect(dirname(signerSocket(deep, folder, 'socket', 4_242))).toBe(own);
  });
});
