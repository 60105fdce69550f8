import type { Chain } from '../ledger/chain.ts';
import type { Venue } from '../venue/venue.ts';
import { allocate, mintAccount, poolAccounts, tokenAccount, walletAccount } from './market-setup.ts';
import type { AccountWrite } from './market-setup.ts';
import type { MarketState, MarketStateFile } from './market-state.ts';
import { genesisTokens } from './market-tokens.ts';
import type { SimulatedWallet } from './population.ts';
import { devKeypair } from './simulated-token.ts';

const DEV_LAMPORTS = 500_000_000_000n;

/** Brings the market up: a new one on a new ledger, the known one otherwise. */
export async function openMarket(input: {
  chain: Chain;
  venue: Venue;
  population: readonly SimulatedWallet[];
  file: MarketStateFile;
}): Promise<MarketState> {
  const { chain, venue, file } = input;
  const now = chain.unixTimestamp();
  const known = file.load();
  const state: MarketState = known ?? {
    genesisUnixSeconds: now,
    genesisSlot: Number(chain.slot('processed')),
    pausedSeconds: 0,
    lastSeenUnixSeconds: now,
    launches: 0,
  };
  if (known !== null) state.pausedSeconds += Math.max(0, now - known.lastSeenUnixSeconds);
  file.save({ ...state, lastSeenUnixSeconds: now });
  // The list of tokens is written last, so its absence means that the market was never finished.
  if (venue.listings().length === 0) await createMarket(input, state);
  return state;
}

async function createMarket(
  { chain, venue, population }: { chain: Chain; venue: Venue; population: readonly SimulatedWallet[] },
  state: MarketState,
): Promise<void> {
  const { seed } = venue;
  const tokens = genesisTokens(seed, state.genesisUnixSeconds);
  const writes: AccountWrite[] = population.map(({ keypair, startLamports }) =>
    walletAccount(keypair.address, startLamports),
  );
  for (const token of tokens) {
    const { listing } = token;
    writes.push(walletAccount(devKeypair(seed, listing.index).address, DEV_LAMPORTS), mintAccount(listing));
    writes.push(...poolAccounts(seed, listing, { lamports: token.poolLamports, tokens: token.poolTokens }));
    const allocations = allocate(seed, token, population);
    for (const { owner, amount } of allocations) writes.push(tokenAccount(listing, owner, amount));
    venue.view.setHolders(
      listing.mint,
      allocations.map(({ owner, amount }) => [owner, amount] as const),
    );
  }
  await chain.setAccounts(writes);
  venue.view.save();
  venue.list(tokens.map(({ listing }) => listing));
}
