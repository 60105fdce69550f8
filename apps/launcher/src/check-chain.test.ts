import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCALNET_GENESIS_HASH } from '@hunter/solana/localnet-genesis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkOutsideChain } from './check-chain.ts';
import { RunningLauncher } from './fixtures/running-launcher.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const REFUSAL = `SOLANA_RPC_URL is not a Hunter localnet (its genesis hash is ${MAINNET}); Hunter cannot trade on other chains yet: leave it out for the embedded chain, or name a localnet (npm run localnet starts one)`;

let genesisHash: string;
let node: Server;
let url: string;
beforeEach(async () => {
  genesisHash = MAINNET;
  node = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id } = JSON.parse(body) as { id: unknown };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: genesisHash }));
    });
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
});
afterEach(() => {
  node.closeAllConnections();
  node.close();
});

describe('an outside chain', () => {
  it('is refused unless it is a Hunter localnet', async () => {
    await expect(checkOutsideChain(url)).rejects.toThrow(REFUSAL);
    genesisHash = LOCALNET_GENESIS_HASH;
    await expect(checkOutsideChain(url)).resolves.toBeUndefined();
  });

  it('is refused where it does not answer, without repeating its address', async () => {
    node.close();
    node.closeAllConnections();
    const refusal = await checkOutsideChain(`${url}/?api-key=secret`).catch((error: Error) => error.message);
    expect(refusal).toMatch(/^SOLANA_RPC_URL does not answer getGenesisHash: /);
    expect(refusal).not.toContain('secret');
  });

  it('ends the start with one line and exit code 1 before anything is made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hunter-check-chain-'));
    const launcher = await RunningLauncher.start(join(folder, 'data'), {
      environment: {
        HUNTER_MODE: 'production',
        SOLANA_RPC_URL: url,
        VENUE_URL: 'https://venue.example',
        DATABASE_URL: 'postgresql://127.0.0.1:1/hunter',
        MARKET_SOURCE: 'chain',
        SMTP_URL: 'smtp://mail.example',
        PUBLIC_ORIGIN: 'https://hunter.example',
      },
    });
    expect(await launcher.ended()).toBe(1);
    expect(launcher.output).toBe(`Hunter cannot start: ${REFUSAL}\n`);
    rmSync(folder, { recursive: true, force: true });
  });
});
