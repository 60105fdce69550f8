import type { Address } from '@hunter/solana/address';
import { balanceChanges } from '@hunter/solana/balance-changes';
import { compileMessage } from '@hunter/solana/message';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { closeTokenAccount } from '@hunter/solana/token-program';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { decideTransactionStatus } from '@hunter/solana/transaction-status';
import { postEntries, SOL } from '../ledger/journal.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { signWithNewest, type NewestSigner } from './sign-with-newest.ts';

// An emptied token account still locks up its deposit. Some time after the last trade it is closed by a transaction of our
// own, with the same care as an order: bytes committed before the send, posted from the chain, signed again only after
// proof. The deposit returns to the book that paid it, or to the personal book where that one has closed.

const PASS_MS = 10_000;
const IDLE_SECONDS = 120;
const RETRY_AFTER_SECONDS = 3_600;
const BATCH = 20;

type Candidate = {
  userId: string;
  walletId: string;
  wallet: string;
  envelope: string;
  mint: string;
  address: string;
  tokenProgram: string;
};
type Live = { signature: string; userId: string; mint: string; wire: Uint8Array; lastValidBlockHeight: bigint };

export type RentReclaimerParts = {
  database: Database;
  rpc: RpcClient;
  signer: NewestSigner;
  log: Log;
  balanceChanged: (userId: string) => void;
  /** How long an account must have been empty. */
  idleSeconds?: number;
};

export class RentReclaimer {
  readonly #parts: RentReclaimerParts;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: RentReclaimerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.pass());
    }, PASS_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }

  async pass(): Promise<void> {
    try {
      await this.#finish();
      await this.#begin();
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'deposits of token accounts could not be taken back and are tried again');
    }
  }

  async #begin(): Promise<void> {
    const { database, rpc, signer, log } = this.#parts;
    const candidates = await loadCandidates(database, this.#parts.idleSeconds ?? IDLE_SECONDS);
    if (candidates.length === 0) return;
    const { blockhash, lastValidBlockHeight } = await rpc.getLatestBlockhash();
    const outcomes = await signWithNewest(
      signer,
      candidates.map((candidate) => ({
        userId: candidate.userId,
        walletId: candidate.walletId,
        envelope: candidate.envelope,
        transaction: closingTransaction(candidate, blockhash),
        policy: {
          kind: 'close-token-account' as const,
          mint: candidate.mint as Address,
          tokenProgram: candidate.tokenProgram as Address,
        },
      })),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const candidate = candidates[index]!;
      if ('denied' in outcome) {
        log.error({ mint: candidate.mint, denied: outcome.denied.code }, 'closing a token account was not signed');
        continue;
      }
      const wire = Buffer.from(outcome.signedTransaction, 'base64');
      const { signature } = outcome;
      const { userId, mint } = candidate;
      const recorded = await recordClosing(database, { signature, userId, mint, wire, lastValidBlockHeight });
      if (recorded) await rpc.sendTransaction(wire).catch(() => {});
    }
  }

  async #finish(): Promise<void> {
    const { database, rpc } = this.#parts;
    const live = await database.query<Live>(
      `select signature, user_id as "userId", mint, wire, last_valid_block_height as "lastValidBlockHeight"
       from token_account_closing where state = 'live' limit 500`,
    );
    if (live.length === 0) return;
    const finalized = await rpc.getEpochInfo('finalized');
    const statuses = await rpc.getSignatureStatuses(
      live.map((row) => row.signature),
      { searchTransactionHistory: true },
    );
    for (const [index, row] of live.entries()) {
      const decision = decideTransactionStatus({
        status: statuses.value[index] ?? null,
        statusContextSlot: statuses.contextSlot,
        searchedHistory: true,
        lastValidBlockHeight: row.lastValidBlockHeight,
        finalized,
      });
      if (decision.kind === 'expired-proven') {
        await database.query(`update token_account_closing set state = 'expired' where signature = $1`, [
          row.signature,
        ]);
      } else if (decision.kind === 'unknown') await rpc.sendTransaction(row.wire).catch(() => {});
      else await this.#settle(row);
    }
  }

  async #settle(row: Live): Promise<void> {
    const { database, rpc } = this.#parts;
    const transaction = await rpc.getTransaction(row.signature);
    if (transaction === null) return;
    const changes = balanceChanges(transaction);
    const returned = changes.tokenAccountsClosed.reduce((sum, account) => sum + account.rentLamports, 0n);
    await database.transaction((sql) => postClosing(sql, row, { ...changes, returned }));
    this.#parts.balanceChanged(row.userId);
  }
}

async function loadCandidates(sql: Sql, idleSeconds: number): Promise<Candidate[]> {
  return sql.query<Candidate>(
    `select t.user_id as "userId", w.id as "walletId", w.address as wallet, w.envelope, t.mint, t.address,
       t.token_program as "tokenProgram"
     from token_account t join wallet w on w.user_id = t.user_id
     where not exists (
         select 1 from balance b join book k on k.id = b.book_id
         where k.user_id = t.user_id and b.asset = t.mint and b.amount > 0)
       and not exists (select 1 from trade_order o where o.user_id = t.user_id and o.mint = t.mint
         and (o.state in ('held', 'sent') or o.created_at > now() - make_interval(secs => $1)))
       and not exists (select 1 from token_account_closing c where c.user_id = t.user_id and c.mint = t.mint
         and (c.state = 'live' or c.created_at > now() - make_interval(secs => $2)))
     limit $3`,
    [idleSeconds, RETRY_AFTER_SECONDS, BATCH],
  );
}

function closingTransaction(candidate: Candidate, recentBlockhash: string): string {
  const wallet = candidate.wallet as Address;
  const message = compileMessage({
    feePayer: wallet,
    recentBlockhash,
    instructions: [
      closeTokenAccount({
        account: candidate.address as Address,
        destination: wallet,
        owner: wallet,
        tokenProgram: candidate.tokenProgram as Address,
      }),
    ],
  });
  return encodeTransactionBase64(transactionFromMessage(message));
}

/** Not while an order that counts on the account is under way; from here on new buys set the deposit aside again. */
async function recordClosing(database: Database, row: Live): Promise<boolean> {
  return database.transaction(async (sql) => {
    await sql.query(`select 1 from token_account where user_id = $1 and mint = $2 for update`, [row.userId, row.mint]);
    const inserted = await sql.query(
      `insert into token_account_closing (signature, user_id, mint, wire, last_valid_block_height)
       select $1, $2, $3, $4, $5 where not exists (
         select 1 from trade_order where user_id = $2 and mint = $3 and state in ('held', 'sent'))
       on conflict do nothing returning signature`,
      [row.signature, row.userId, row.mint, row.wire, row.lastValidBlockHeight],
    );
    return inserted.length > 0;
  });
}

async function postClosing(
  sql: Sql,
  row: Live,
  changes: { failed: boolean; fee: bigint; slot: bigint; returned: bigint },
): Promise<void> {
  const closed = await sql.query(
    `update token_account_closing set state = $2 where signature = $1 and state = 'live' returning signature`,
    [row.signature, changes.failed ? 'failed' : 'landed'],
  );
  if (closed.length === 0) return;
  const [books] = await sql.query<{ paid: string; target: string; personal: string; rent: bigint }>(
    `select t.book_id as paid, t.rent_lamports as rent, p.id as personal,
       case when k.status = 'closed' then p.id else k.id end as target
     from token_account t join book k on k.id = t.book_id
       join book p on p.user_id = t.user_id and p.kind = 'personal'
     where t.user_id = $1 and t.mint = $2 for update of t`,
    [row.userId, row.mint],
  );
  const { paid, target, personal, rent } = books!;
  const entry = { reference: row.signature, signature: row.signature, slot: changes.slot };
  if (changes.failed) {
    await postEntries(sql, [
      {
        ...entry,
        kind: 'rent-return-failed',
        postings: [
          { bookId: personal, account: 'cash', asset: SOL, amount: -changes.fee },
          { bookId: null, account: 'network-fee', asset: SOL, amount: changes.fee },
        ],
      },
    ]);
    return;
  }
  await postEntries(sql, [
    {
      ...entry,
      kind: 'rent-return',
      postings: [
        { bookId: paid, account: 'rent', asset: SOL, amount: -rent },
        { bookId: target, account: 'cash', asset: SOL, amount: changes.returned - changes.fee },
        { bookId: null, account: 'network-fee', asset: SOL, amount: changes.fee },
        // Somebody may have sent lamports into the account; they are a gift and no deposit of ours.
        { bookId: null, account: 'token-account-rent', asset: SOL, amount: rent - changes.returned },
      ],
    },
  ]);
  await sql.query(`delete from token_account where user_id = $1 and mint = $2`, [row.userId, row.mint]);
}
