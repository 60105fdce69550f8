import { AppError } from '@hunter/contract/app-error';
import type { Address } from '@hunter/solana/address';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { LAMPORTS_PER_SOL } from '@hunter/domain/numbers/lamports';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import type { Sql } from '../platform/postgres.ts';

const WELCOME_LAMPORTS = 10n * LAMPORTS_PER_SOL;

/** SOL out of nothing, which only a local chain gives. It arrives on chain and is found like any other deposit. */
export class Faucet {
  readonly #database: Sql;
  readonly #rpc: RpcClient;

  constructor(database: Sql, rpc: RpcClient) {
    this.#database = database;
    this.#rpc = rpc;
  }

  async drop(userId: string, lamports: bigint): Promise<string> {
    const wallet = await loadPersonalWallet(this.#database, userId);
    try {
      return await this.#rpc.requestAirdrop(wallet.address, lamports);
    } catch (cause) {
      throw new AppError('UNAVAILABLE', undefined, { cause });
    }
  }

  /** For the outbox, which may call twice: a wallet that has seen any transaction was welcomed before. */
  async welcome(wallet: Address): Promise<void> {
    const seen = await this.#rpc.getSignaturesForAddress(wallet, { limit: 1 });
    if (seen.length === 0) await this.#rpc.requestAirdrop(wallet, WELCOME_LAMPORTS);
  }
}
