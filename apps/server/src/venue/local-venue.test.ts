import { Keypair } from '@hunter/solana/keypair';
import { RpcClient } from '@hunter/solana/rpc-client';
import { vi } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { startChainServices } from '../trading/world-for-test.ts';
import { LocalVenue } from './local-venue.ts';
import { describeVenue } from './venue-contract-for-test.ts';

describeVenue('the localnet', async () => {
  const services = await startChainServices();
  const rpc = new RpcClient({ url: services.rpcUrl });
  const venue = new LocalVenue({ url: services.venueUrl, clock: systemClock });
  const [token] = await venue.liveliestTokens();
  const mint = token!.mint;
  return {
    venue,
    mint,
    wallet: async () => {
      const keypair = Keypair.generate();
      await rpc.requestAirdrop(keypair.address, 1_000_000_000n);
      return keypair;
    },
    holding: (wallet) =>
      vi.waitFor(
        async () => {
          const { value } = await rpc.getTokenAccountsByOwner(wallet.address, { mint });
          return value[0]!.amount;
        },
        { timeout: 120_000 },
      ),
    close: async () => {
      rpc.close();
      await services.close();
    },
  };
});
