// Starts the areas of the localnet in order and closes them in the opposite one.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureMarket, ledgerFolder, venueFolder } from './first-market.ts';
import type { Account } from './chain/chain.ts';
import { createChain } from './chain/open-chain.ts';
import { retentionOf } from './chain/retention.ts';
import { startRpcHttp } from './rpc/http-server.ts';
import { startRpcWs } from './rpc/ws-server.ts';
import type { HistoryTrades } from './traders/open-market.ts';
import { startMarket } from './traders/start-market.ts';
import { startVenue } from './venue/start-venue.ts';

type LocalnetOptions = {
  dataDir: string;
  /** HTTP; the WebSocket takes the next one. 0 takes any two that are free. */
  port: number;
  /** 0 takes a free one. */
  venuePort: number;
  market: boolean;
  seed: string;
  tradesPerSecond: number;
  historyTrades?: HistoryTrades;
  accounts: { address: string; account: Account }[];
  /** What of the history stays on disk; 0 keeps all of it. */
  historyGb: number;
  /** When the ledger can no longer be written: the process has to end. */
  onFailure: (error: Error) => void;
};

export type Localnet = { rpc: string; rpcWs: string; venue: string; venueKey: string; close(): Promise<void> };

export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  mkdirSync(options.dataDir, { recursive: true });
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    if (options.market) await ensureMarket(options.dataDir, options.seed, options.historyTrades);
    const chain = await createChain({
      dataDir: ledgerFolder(options.dataDir),
      retention: retentionOf(options.historyGb),
      onFailure: options.onFailure,
    });
    closers.push(() => chain.close());
    if (options.accounts.length > 0) await chain.setAccounts(options.accounts);
    const http = await startRpcHttp(chain, options.port);
    closers.push(() => http.close());
    const ws = await startRpcWs(chain, options.port === 0 ? 0 : http.port + 1);
    closers.push(() => ws.close());
    mkdirSync(venueFolder(options.dataDir), { recursive: true });
    const venue = await startVenue({
      chain,
      port: options.venuePort,
      dataDir: venueFolder(options.dataDir),
      keyFile: join(options.dataDir, 'venue-key.pem'),
      seed: options.seed,
      market: options.market,
    });
    closers.push(() => venue.close());
    if (options.market) {
      const market = await startMarket({ chain, venue, seed: options.seed, tradesPerSecond: options.tradesPerSecond });
      closers.push(() => market.close());
    }
    return { rpc: http.url, rpcWs: ws.url, venue: venue.url, venueKey: venue.venue.certifier.publicKey(), close };
  } catch (error) {
    await close();
    throw error;
  }
}
