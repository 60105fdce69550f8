import { lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import {
  decodeTransaction,
  encodeTransaction,
  signTransaction,
  transactionFromMessage,
  transactionId,
} from '@hunter/solana/transaction';
import type { Endpoints } from '../../../apps/launcher/src/endpoints.ts';
import { systemClock } from '../../../apps/server/src/platform/clock.ts';
import { LocalVenue } from '../../../apps/server/src/venue/local-venue.ts';
import type { VenueToken } from '../../../apps/server/src/venue/venue.ts';
import { until } from '../../../scripts/product-client.ts';
import { insistAgain } from './ask-again.ts';
import type { Scenes } from './scenes.ts';

const STAKE_LAMPORTS = 100_000_000n;
const FORGED_LAMPORTS = 5_000_000_000n;

/**
 * Plays somebody with two wallets who sells tokens to himself at a hundred times their price, and names the venue as its own swaps do:
 * price, volume and the profits of traders must not follow him.
 */
export async function playForger(scenes: Scenes, endpoints: Endpoints, rpc: RpcClient): Promise<void> {
  const venue = new LocalVenue({ url: endpoints.venue, clock: systemClock });
  const token = (await venue.liveliestTokens()).find(({ tokenProgram }) => tokenProgram === TOKEN_PROGRAM)!;
  const mint = token.mint;
  const [seller, buyer] = [await funded(rpc), await funded(rpc)];
  await buyAtVenue(venue, seller, mint);
  const held = await until(async () => {
    const { value } = await rpc.getTokenAccountsByOwner(seller.address, { mint });
    return value[0]?.amount;
  }, 'the tokens to be sold');
  const forged = await sellTo(buyer, seller, token, held / 2n, (await venue.referenceAddress()) as Address, rpc);
  await until(async () => {
    const { value } = await rpc.getSignatureStatuses([forged]);
    return value[0]?.confirmationStatus === 'confirmed' || value[0]?.confirmationStatus === 'finalized';
  }, 'the forged trade to land');
  // What comes after it is listed only once it was read itself.
  const honest = await buyAtVenue(venue, buyer, mint);
  const listed = await until(async () => {
    const { lists } = (await insistAgain(endpoints.web, 'getTokenTransactionData', {
      tokenContractAddress: mint,
      limit: 200,
    })) as { lists: { txHash: string }[] };
    return lists.some(({ txHash }) => txHash === honest) && lists;
  }, 'the honest trade in the market');
  const isListed = listed.some(({ txHash }) => txHash === forged);
  scenes.note('a trade with himself that names the venue', isListed ? 'in the market' : 'not in the market', !isListed);
}

async function funded(rpc: RpcClient): Promise<Keypair> {
  const keypair = Keypair.generate();
  await rpc.requestAirdrop(keypair.address, 10_000_000_000n);
  await until(async () => (await rpc.getBalance(keypair.address, 'confirmed')).value > 0n, 'money of the forger');
  return keypair;
}

async function buyAtVenue(venue: LocalVenue, wallet: Keypair, mint: Address): Promise<string> {
  const quote = await venue.quote({
    mint,
    side: 'buy',
    amount: lamports(STAKE_LAMPORTS),
    slippageBps: 5_000,
    taker: wallet.address,
  });
  const signed = signTransaction(decodeTransaction(quote.wire!), [wallet]);
  const { code } = await venue.execute({
    requestId: quote.requestId,
    wire: encodeTransaction(signed),
    lastValidBlockHeight: quote.lastValidBlockHeight!,
  });
  if (code !== 'SUCCESS') throw new Error(`the venue answered ${code}`);
  return transactionId(signed)!;
}

async function sellTo(
  buyer: Keypair,
  seller: Keypair,
  { mint, decimals }: VenueToken,
  amount: bigint,
  reference: Address,
  rpc: RpcClient,
): Promise<string> {
  const { blockhash } = await rpc.getLatestBlockhash();
  const token = mint;
  const message = compileMessage({
    version: 0,
    feePayer: buyer.address,
    recentBlockhash: blockhash,
    instructions: [
      createAssociatedTokenAccountIdempotent({ payer: buyer.address, owner: buyer.address, mint: token }),
      transferSol({ from: buyer.address, to: seller.address, lamports: FORGED_LAMPORTS }),
      transferChecked({
        source: associatedTokenAddress(seller.address, token),
        mint: token,
        destination: associatedTokenAddress(buyer.address, token),
        owner: seller.address,
        amount,
        decimals,
        references: [reference],
      }),
    ],
  });
  const wire = encodeTransaction(signTransaction(transactionFromMessage(message), [buyer, seller]));
  return rpc.sendTransaction(wire);
}
