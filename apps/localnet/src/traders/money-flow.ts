import { smaller } from '@hunter/domain/numbers/rounding';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import type { Chain } from '../chain/chain.ts';
import type { SimulatedWallet } from './population.ts';

const EVERY_SECONDS = 40;

/**
 * The skilled win what the crowd loses, and without this the crowd would be broke within weeks. Winners now and then
 * cash out and the same SOL comes back with those who lost: plain transfers on chain, so nothing appears or vanishes.
 */
export class MoneyFlow {
  readonly #chain: Chain;
  readonly #population: readonly SimulatedWallet[];
  #dueAt = 0;

  constructor(chain: Chain, population: readonly SimulatedWallet[]) {
    this.#chain = chain;
    this.#population = population;
  }

  async tick(seconds: number): Promise<void> {
    if (seconds < this.#dueAt) return;
    this.#dueAt = seconds + EVERY_SECONDS;
    const transfer = decideTransfer(this.#population, (wallet) => this.#lamportsOf(wallet));
    if (transfer === null) return;
    const { from, to, lamports } = transfer;
    const message = compileMessage({
      version: 0,
      feePayer: from.keypair.address,
      recentBlockhash: this.#chain.latestBlockhash().blockhash,
      instructions: [transferSol({ from: from.keypair.address, to: to.keypair.address, lamports })],
    });
    await this.#chain.submit(encodeTransaction(signTransaction(transactionFromMessage(message), [from.keypair])));
  }

  #lamportsOf({ keypair }: SimulatedWallet): bigint {
    return this.#chain.account(keypair.address)?.lamports ?? 0n;
  }
}

/** From the one furthest above twice its start to the one furthest below half of it; null where no such pair is. */
export function decideTransfer(
  population: readonly SimulatedWallet[],
  lamportsOf: (wallet: SimulatedWallet) => bigint,
): { from: SimulatedWallet; to: SimulatedWallet; lamports: bigint } | null {
  let from: SimulatedWallet | null = null;
  let surplus = 0n;
  let to: SimulatedWallet | null = null;
  let need = 0n;
  for (const wallet of population) {
    const lamports = lamportsOf(wallet);
    const above = lamports - 2n * wallet.startLamports;
    const below = lamports * 2n < wallet.startLamports ? wallet.startLamports - lamports : 0n;
    if (above > surplus) [from, surplus] = [wallet, above];
    if (below > need) [to, need] = [wallet, below];
  }
  if (from === null || to === null) return null;
  return { from, to, lamports: smaller(surplus, need) };
}
