// A whole node for tests: chain, HTTP and WebSocket over a folder of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { type ChainOptions, createChain } from '../chain/open-chain.ts';
import { startRpcHttp } from './http-server.ts';
import { startRpcWs } from './ws-server.ts';

export type TestNode = {
  chain: LedgerChain;
  url: string;
  wsUrl: string;
  call(
    method: string,
    params?: unknown[],
  ): Promise<{ result?: unknown; error?: { code: number; message: string; data?: unknown } }>;
  close(): Promise<void>;
};

export async function startTestNode(options: Omit<ChainOptions, 'dataDir'> = {}): Promise<TestNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hunter-localnet-'));
  const chain = await createChain({ dataDir, ...options });
  const http = await startRpcHttp(chain, 0);
  const ws = await startRpcWs(chain, 0);
  return {
    chain,
    url: http.url,
    wsUrl: ws.url,
    async call(method, params = []) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 'test', method, params });
      const response = await fetch(http.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return (await response.json()) as { result?: unknown };
    },
    async close() {
      await ws.close();
      await http.close();
      await chain.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
