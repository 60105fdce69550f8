import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { poolKeypair } from '../../../apps/localnet/src/venue/pool-registry.ts';
import { systemClock } from '../../../apps/server/src/platform/clock.ts';
import { LocalVenue } from '../../../apps/server/src/venue/local-venue.ts';

/** Of a localnet that was given none. */
const SEED = 'hunter';
const POOLS_MAX = 500;
const PROVIDER_LAMPORTS = 5_000_000_000n;

/** Takes liquidity out of a pool of the localnet and puts it back, both sides alike, so that only the depth changes. */
export class LiquidityProvider {
  readonly #rpc: RpcClient;
  readonly #own = Keypair.generate();
  readonly #pool: Keypair;
  readonly #mint: Address;
  readonly #tokenProgram: Address;
  readonly #decimals: number;
  readonly #reference: Address;
  #taken = { lamports: 0n, tokens: 0n };

  private constructor(rpc: RpcClient, pool: Keypair, token: Listed, reference: Address) {
    this.#rpc = rpc;
    this.#pool = pool;
    this.#mint = token.mint;
    this.#tokenProgram = token.tokenProgram as Address;
    this.#decimals = token.decimals;
    this.#reference = reference;
  }

  static async of(rpc: RpcClient, venueUrl: string, mint: Address): Promise<LiquidityProvider> {
    const venue = new LocalVenue({ url: venueUrl, clock: systemClock });
    const [accounts] = await venue.poolAccounts([mint]);
    const [token] = await venue.tokens([mint]);
    const reference = (await venue.referenceAddress()) as Address;
    for (let index = 0; index < POOLS_MAX; index += 1) {
      const pool = poolKeypair(SEED, index);
      if (pool.address !== accounts!.address) continue;
      const provider = new LiquidityProvider(rpc, pool, token!, reference);
      await rpc.requestAirdrop(provider.#own.address, PROVIDER_LAMPORTS);
      return provider;
    }
    throw new Error(`no key of the market "${SEED}" owns the pool ${accounts!.address}`);
  }

  /** Leaves one part in `divisor`. */
  async pull(divisor: bigint): Promise<void> {
    const held = await this.#held(this.#pool.address);
    const lamports = held.lamports - held.lamports / divisor;
    const tokens = held.tokens - held.tokens / divisor;
    await this.#move(this.#pool, this.#own, lamports, tokens);
    this.#taken = { lamports, tokens };
  }

  async giveBack(): Promise<void> {
    const { lamports, tokens } = this.#taken;
    if (tokens > 0n) await this.#move(this.#own, this.#pool, lamports, tokens);
    this.#taken = { lamports: 0n, tokens: 0n };
  }

  async #held(owner: Address): Promise<{ lamports: bigint; tokens: bigint }> {
    const { value: lamports } = await this.#rpc.getBalance(owner);
    const { value: accounts } = await this.#rpc.getTokenAccountsByOwner(owner, { mint: this.#mint });
    return { lamports, tokens: accounts.reduce((sum, { amount }) => sum + amount, 0n) };
  }

  async #move(from: Keypair, to: Keypair, lamports: bigint, tokens: bigint): Promise<void> {
    const [mint, tokenProgram] = [this.#mint, this.#tokenProgram];
    const account = (owner: Address) => associatedTokenAddress(owner, mint, tokenProgram);
    const { blockhash } = await this.#rpc.getLatestBlockhash();
    const message = compileMessage({
      version: 0,
      feePayer: this.#own.address,
      recentBlockhash: blockhash,
      instructions: [
        createAssociatedTokenAccountIdempotent({ payer: this.#own.address, owner: to.address, mint, tokenProgram }),
        transferSol({ from: from.address, to: to.address, lamports }),
        transferChecked({
          source: account(from.address),
          mint,
          destination: account(to.address),
          owner: from.address,
          amount: tokens,
          decimals: this.#decimals,
          tokenProgram,
          references: [this.#reference],
        }),
      ],
    });
    const signers = from === this.#own ? [this.#own] : [this.#own, from];
    await this.#rpc.sendTransaction(encodeTransaction(signTransaction(transactionFromMessage(message), signers)));
  }
}

type Listed = { mint: Address; tokenProgram: string; decimals: number };
