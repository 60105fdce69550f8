import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Address } from '@hunter/solana/address';
import type { Chain } from '../chain/chain.ts';
import { createVenueServer } from './http-server.ts';
import { Venue } from './venue.ts';

/** What a crash loses of the view is read again from the ledger, so it need not be written often. */
const SAVE_EVERY_MS = 5 * 60_000;

export type RunningVenue = { url: string; address: Address; venue: Venue; close(): Promise<void> };

/** Opens the venue over its data folder and serves it on loopback; port 0 takes a free one. */
export async function startVenue(options: {
  chain: Chain;
  port: number;
  dataDir: string;
  seed: string;
  market: boolean;
}): Promise<RunningVenue> {
  const venue = new Venue(options);
  const server = createVenueServer(venue, options.market);
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const saving = setInterval(() => venue.view.save(), SAVE_EVERY_MS);
  saving.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    address: venue.address,
    venue,
    async close() {
      clearInterval(saving);
      server.closeIdleConnections();
      const closed = once(server, 'close');
      server.close();
      // Open keep-alive connections would hold the server up for as long as their owners please.
      setTimeout(() => server.closeAllConnections(), 2_000).unref();
      await closed;
      venue.close();
    },
  };
}
