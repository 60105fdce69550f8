import type { Address } from '@hunter/solana/address';
import type { Chain } from '../chain/chain.ts';
import { startVenueHttp } from './http-server.ts';
import { Venue } from './venue.ts';

const SAVE_LOOK_EVERY_MS = 1_000;

export type RunningVenue = { url: string; address: Address; venue: Venue; close(): Promise<void> };

/** Opens the venue over its data folder and serves it on loopback; port 0 takes a free one. */
export async function startVenue(options: {
  chain: Chain;
  port: number;
  dataDir: string;
  keyFile?: string;
  seed: string;
  market: boolean;
  /** Answers `POST /past`, where a past is being made. */
  onPast?: (body: unknown) => Promise<unknown>;
}): Promise<RunningVenue> {
  const venue = new Venue(options);
  const server = await startVenueHttp(venue, options.port, { simulatedMarket: options.market, onPast: options.onPast });
  // A past that is interrupted is made again, and one that ends is saved when this is closed.
  const saving = options.onPast ? undefined : setInterval(() => venue.view.saveWhereDue(), SAVE_LOOK_EVERY_MS);
  saving?.unref();
  return {
    url: server.url,
    address: venue.address,
    venue,
    async close() {
      clearInterval(saving);
      await server.close();
      venue.close();
    },
  };
}
