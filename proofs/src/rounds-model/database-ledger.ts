import { Keypair } from '@hunter/solana/keypair';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { Position } from '@hunter/domain/record/position';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { loadBookBalances } from '../../../apps/server/src/ledger/balances.ts';
import { depositBookOf, openBook } from '../../../apps/server/src/ledger/books.ts';
import { postEntries, SOL, type Asset } from '../../../apps/server/src/ledger/journal.ts';
import { positionOf, SELECT_POSITION, type PositionRow } from '../../../apps/server/src/ledger/positions.ts';
import { loadWalletAmounts } from '../../../apps/server/src/ledger/wallet-balance.ts';
import { insertWallet } from '../../../apps/server/src/ledger/wallets.ts';
import type { Database } from '../../../apps/server/src/platform/postgres.ts';
import type { ChainFill } from '../../../apps/server/src/trading/chain-fill.ts';
import { claimOrders, killOrders } from '../../../apps/server/src/trading/order-store.ts';
import { insertRound } from '../../../apps/server/src/trading/rounds/place-round.ts';
import { proposeSettlement } from '../../../apps/server/src/trading/settle-difference.ts';
import { settleOrders } from '../../../apps/server/src/trading/settle-orders.ts';
import { FEE_RESERVE, type ModelRound, type RoundLedger } from './round-ledger.ts';

/** The same wallet in PostgreSQL, by the statements that the product runs. */
export class DatabaseLedger implements RoundLedger {
  readonly #database: Database;
  readonly #userId = randomUUID();
  readonly #walletId = randomUUID();
  readonly #bookIds: string[] = [];
  #entries = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  async begin(): Promise<void> {
    await this.#database.write(
      `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
      [this.#userId, this.#userId],
    );
    const [id, userId] = [this.#walletId, this.#userId];
    await insertWallet(this.#database, {
      id,
      userId,
      kind: 'strategy',
      address: Keypair.generate().address,
      sealedKey: '',
    });
  }

  async open(kind: 'strategy' | 'follow' | 'unclaimed', chosen: string): Promise<string> {
    const owner = { userId: this.#userId, walletId: this.#walletId, name: 'Model' };
    const { id } =
      kind === 'unclaimed'
        ? await depositBookOf(this.#database, this.#walletId)
        : await openBook(this.#database, { ...owner, id: chosen, kind });
    this.#bookIds.push(id);
    return id;
  }

  async deposit(bookId: string, amount: bigint): Promise<void> {
    this.#entries += 1;
    await postEntries(this.#database, [
      {
        kind: amount > 0n ? 'deposit' : 'external-out',
        reference: `${this.#walletId} ${this.#entries}`,
        postings: [
          { bookId, account: 'cash', asset: SOL, amount },
          { bookId: null, account: 'chain', asset: SOL, amount: -amount },
        ],
      },
    ]);
  }

  takeOut(bookId: string, amount: bigint): Promise<void> {
    return this.deposit(bookId, -amount);
  }

  async hold({ id, side, mint, parts }: ModelRound): Promise<boolean> {
    const [walletId, userId, bookId] = [this.#walletId, this.#userId, this.#bookIds[0]!];
    const round = { id, walletId, userId, bookId, kind: 'trade', side, mint, slippageBps: 100 } as const;
    const options = { feeReserveLamports: FEE_RESERVE, tokenProgram: TOKEN_PROGRAM, now: new Date() };
    const owned = parts.map((part) => ({ ...part, userId }));
    try {
      await this.#database.transaction((sql) => insertRound(sql, { ...round, parts: owned }, options));
      return true;
    } catch (error) {
      if (error instanceof AppError && error.errorName === 'INSUFFICIENT_BALANCE') return false;
      throw error;
    }
  }

  async settle({ id }: ModelRound, fill: ChainFill): Promise<void> {
    await claimOrders(this.#database, [{ id, attempts: 0, minOut: baseUnits(1n) }]);
    const settlement = { orderId: id, tokenProgram: TOKEN_PROGRAM, venueFeeBps: 50, at: new Date(), fill };
    await this.#database.transaction((sql) => settleOrders(sql, [settlement]));
  }

  async release({ id }: ModelRound): Promise<void> {
    await killOrders(this.#database, [{ id, error: 'PRICE_MOVED' }], new Date());
  }

  async steal(asset: Asset, amount: bigint): Promise<void> {
    const books = (await loadWalletAmounts(this.#database, this.#walletId)).find((row) => row.asset === asset)!.amount;
    await this.#database.write(
      `insert into reconciliation_alarm (wallet_id, user_id, asset, books, chain, slot) values ($1, $2, $3, $4, $5, 1)`,
      [this.#walletId, this.#userId, asset, books, books - amount],
    );
    const theft = { asset, difference: -amount, bookId: null, cause: 'theft', operator: 'model' };
    const compare = async () => ({ assets: [{ asset, books, chain: books - amount }], slot: 1n });
    await proposeSettlement(this.#database, compare, { walletId: this.#walletId, ...theft }, { operatorsNeeded: 1 });
  }

  async balances(): Promise<ReadonlyMap<string, bigint>> {
    const rows = await loadBookBalances(this.#database, this.#bookIds);
    return new Map(rows.map(({ bookId, account, asset, amount }) => [`${bookId} ${account} ${asset}`, amount]));
  }

  async positions(): Promise<ReadonlyMap<string, Position>> {
    const rows = await this.#database.query<PositionRow>(`${SELECT_POSITION} where p.book_id = any($1::uuid[])`, [
      this.#bookIds,
    ]);
    return new Map(rows.map((row) => [`${row.bookId} ${row.mint}`, positionOf(row)]));
  }
}
