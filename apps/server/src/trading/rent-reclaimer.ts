import type { Lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import type { Address } from '@hunter/solana/address';
import { balanceChanges, type BalanceChanges } from '@hunter/solana/balance-changes';
import { compileMessage } from '@hunter/solana/message';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { closeTokenAccount } from '@hunter/solana/token-program';
import { encodeTransactionBase64, transactionFromMessage } from '@hunter/solana/transaction';
import { depositBookOf } from '../ledger/books.ts';
import { coverOutflow } from '../ledger/cover-outflow.ts';
import { loadStandingEntries, postEntries, reversalOf, SOL, type Posting } from '../ledger/journal.ts';
import { lockFreeBalances } from '../ledger/wallet-balance.ts';
import { FIRST_WALLET, type WalletKind } from '../ledger/wallets.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql, Transaction } from '../platform/postgres.ts';
import type { Landed, PurposeRules, SendRefusal } from '../sending/purpose.ts';
import { sendByRpc } from '../sending/send-by-rpc.ts';
import { Sender } from '../sending/sender.ts';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import { loadBusyIntents, loadFailingIntents } from '../sending/transaction-store.ts';
import { enqueueRentReturned, enqueueUndone } from './order-events.ts';
import { OPEN_ORDER_STATES } from './order.ts';
import { signWithNewest, type NewestSigner } from './sign-with-newest.ts';

// An emptied token account still locks up its deposit. Some time after the last trade it is closed by a transaction of our
// own. The deposit returns to the book that paid it, or to that of the wallet's owner where that one has closed.

const PASS_MS = 10_000;
/** While the walk has not come to the end of what is due. */
const FULL_PASS_MS = 1_000;
const IDLE_SECONDS = 120;
const RETRY_AFTER_MS = 3_600_000;
/** What a token keeps back in an account, such as a tax, lets none of its closings through, and each costs its fee. */
const FAILURES_MAX = 3;
const FAILURES_REMEMBERED_MS = 30 * 86_400_000;
/** Accounts looked at per pass: nearly all of them hold tokens, and however many there are, a pass costs the same. */
const WALK = 1_000;
const BATCH = 100;

type Candidate = {
  userId: string;
  walletId: string;
  wallet: Address;
  sealedKey: string;
  mint: Address;
  address: Address;
  tokenProgram: Address;
};

export type RentReclaimerDeps = {
  database: Database;
  rpc: RpcClient;
  signer: NewestSigner;
  clock: Clock;
  log: Log;
  balanceChanged: (userId: string) => void;
  /** How long an account must have been empty. */
  idleSeconds?: number;
};

/** Before every other account. */
type Place = Pick<Candidate, 'walletId'> & { mint: Address | '' };
/** Before the first mint. */
const START: Place = { walletId: FIRST_WALLET, mint: '' };

export class RentReclaimer implements PurposeRules<Candidate, Landed, null> {
  readonly purpose = 'closing';
  readonly name = 'closing token accounts';
  readonly postsAt = 'confirmed';
  readonly leftBehindMs = 0;
  readonly #deps: RentReclaimerDeps;
  readonly #sender: Sender<Candidate, Landed, null>;
  /** Where the walk over all accounts stands, so that some that cannot be closed do not keep others waiting. */
  #after: Place = START;

  constructor(deps: RentReclaimerDeps) {
    this.#deps = deps;
    const { database, rpc: chain, clock, log } = deps;
    this.#sender = new Sender({ database, chain, clock, log }, this);
  }

  start(): void {
    this.#sender.start();
  }

  stop(): Promise<void> {
    return this.#sender.stop();
  }

  /** Carries on with what is open and begins what is due. */
  pass(): Promise<void> {
    return this.#sender.recover();
  }

  pauseMs(): number {
    return this.#after === START ? PASS_MS : FULL_PASS_MS;
  }

  /** Not while an order that counts on the account is open; from here on new buys set the deposit aside again. */
  async claim(sql: Sql, signed: readonly { claim: Candidate }[]): Promise<ReadonlySet<string>> {
    const free = await sql.query<{ address: string }>(
      `select t.address from token_account t join unnest($1::uuid[], $2::text[], $3::uuid[]) v (wallet_id, mint, user_id)
         on t.wallet_id = v.wallet_id and t.mint = v.mint
       where not exists (select 1 from trade_order o where o.user_id = v.user_id and o.wallet_id = t.wallet_id
         and o.mint = t.mint and o.state in ${OPEN_ORDER_STATES})
       order by t.wallet_id, t.mint for update of t`,
      [
        signed.map(({ claim }) => claim.walletId),
        signed.map(({ claim }) => claim.mint),
        signed.map(({ claim }) => claim.userId),
      ],
    );
    const addresses = free.map((row) => row.address);
    const busy = await loadBusyIntents(sql, 'closing', addresses);
    return new Set(addresses.filter((address) => !busy.has(address)));
  }

  send(transactions: readonly SignedTransaction[]): Promise<ReadonlyMap<string, SendRefusal>> {
    return sendByRpc(this.#deps, transactions);
  }

  async read(landed: readonly Landed[]): Promise<Landed[]> {
    return [...landed];
  }

  async post(sql: Transaction, landed: readonly Landed[]): Promise<null[]> {
    for (const { transaction, onChain, isFinal } of landed) {
      const changes = balanceChanges(onChain);
      // Final on another fork with the same outcome: it stands, and under its name nothing is posted twice.
      if (isFinal && (await isPosted(sql, changes))) continue;
      if (isFinal) await takeBackClosing(sql, transaction, new Date(this.#deps.clock.nowMs()));
      const { userId, walletKind, target } = await postClosing(sql, transaction, changes);
      if (walletKind === 'strategy') await enqueueRentReturned(sql, [target]);
      sql.afterCommit(() => this.#deps.balanceChanged(userId));
    }
    return landed.map(() => null);
  }

  /** The account is found again by the walk. */
  async release(): Promise<void> {}

  async dropped(sql: Transaction, transactions: readonly SignedTransaction[]): Promise<ReadonlySet<string>> {
    for (const one of transactions) await takeBackClosing(sql, one, new Date(this.#deps.clock.nowMs()));
    return new Set(transactions.map(({ signature }) => signature));
  }

  async resume(): Promise<number> {
    const { database, rpc, signer, clock, log } = this.#deps;
    const until = await loadPlaceAhead(database, this.#after);
    const idleSeconds = this.#deps.idleSeconds ?? IDLE_SECONDS;
    const candidates = await loadCandidates(database, idleSeconds, this.#after, until);
    this.#after = candidates.length < BATCH ? (until ?? START) : candidates.at(-1)!;
    const addresses = candidates.map(({ address }) => address);
    const tried = await loadBusyIntents(database, 'closing', addresses, new Date(clock.nowMs() - RETRY_AFTER_MS));
    const failing = await loadFailingIntents(database, 'closing', addresses, {
      times: FAILURES_MAX,
      since: new Date(clock.nowMs() - FAILURES_REMEMBERED_MS),
    });
    const due = candidates.filter(({ address }) => !tried.has(address) && !failing.has(address));
    if (due.length === 0) return 0;
    const { blockhash, lastValidBlockHeight } = await rpc.getLatestBlockhash();
    const outcomes = await signWithNewest(
      signer,
      due.map((candidate) => ({
        userId: candidate.userId,
        walletId: candidate.walletId,
        sealedKey: candidate.sealedKey,
        transaction: closingTransaction(candidate, blockhash),
        policy: {
          kind: 'close-token-account' as const,
          mint: candidate.mint,
          tokenProgram: candidate.tokenProgram,
        },
      })),
    );
    const signed = outcomes.flatMap((outcome, index) => {
      const candidate = due[index]!;
      if ('denied' in outcome) {
        const { address, mint } = candidate;
        log.error({ address, mint, denied: outcome.denied.code }, 'the signer refused to close a token account');
        return [];
      }
      const transaction = {
        signature: outcome.signature,
        intentId: candidate.address,
        walletAddress: candidate.wallet,
        wire: Buffer.from(outcome.signedTransaction, 'base64'),
        lastValidBlockHeight,
        venueRequest: null,
      };
      return [{ transaction, candidate }];
    });
    const isCommitted = await Promise.all(
      signed.map(({ transaction, candidate }) => this.#sender.commit(transaction, candidate)),
    );
    const transactions = signed.map(({ transaction }) => transaction);
    await this.#sender.send(transactions.filter((_, index) => isCommitted[index]));
    for (const transaction of transactions) this.#sender.letGo(transaction);
    return due.length;
  }
}

/** Where a pass that begins after this place ends; null where fewer accounts are left. */
async function loadPlaceAhead(sql: Sql, after: Place): Promise<Place | null> {
  const [place] = await sql.query<Place>(
    `select wallet_id as "walletId", mint from token_account where (wallet_id, mint) > ($1::uuid, $2)
     order by wallet_id, mint offset $3 limit 1`,
    [after.walletId, after.mint, WALK - 1],
  );
  return place ?? null;
}

async function loadCandidates(sql: Sql, idleSeconds: number, after: Place, until: Place | null): Promise<Candidate[]> {
  return sql.query<Candidate>(
    `select w.user_id as "userId", w.id as "walletId", w.address as wallet, w.envelope as "sealedKey", t.mint, t.address,
       t.token_program as "tokenProgram"
     from token_account t join wallet w on w.id = t.wallet_id
     where (t.wallet_id, t.mint) > ($2::uuid, $3) and ($5::uuid is null or (t.wallet_id, t.mint) <= ($5::uuid, $6))
       and not exists (
         select 1 from balance b join book k on k.id = b.book_id
         where k.wallet_id = t.wallet_id and b.asset = t.mint and b.amount > 0)
       and not exists (select 1 from trade_order o where o.wallet_id = w.id and o.mint = t.mint
         and o.state in ${OPEN_ORDER_STATES})
       and not exists (select 1 from trade_order o where o.user_id = w.user_id and o.wallet_id = w.id and o.mint = t.mint
         and o.created_at > now() - make_interval(secs => $1))
     order by t.wallet_id, t.mint limit $4`,
    [idleSeconds, after.walletId, after.mint, BATCH, until?.walletId ?? null, until?.mint ?? null],
  );
}

function closingTransaction(candidate: Candidate, recentBlockhash: string): string {
  const { wallet } = candidate;
  const message = compileMessage({
    feePayer: wallet,
    recentBlockhash,
    instructions: [
      closeTokenAccount({
        account: candidate.address,
        destination: wallet,
        owner: wallet,
        tokenProgram: candidate.tokenProgram,
      }),
    ],
  });
  return encodeTransactionBase64(transactionFromMessage(message));
}

type Closed = { userId: string; walletKind: WalletKind; target: string };
type Deposit = { walletId: string; paid: string; rent: Lamports; mint: Address; tokenProgram: string };

async function isPosted(sql: Sql, { signature, failed }: BalanceChanges): Promise<boolean> {
  const kind = failed ? 'rent-return-failed' : 'rent-return';
  return (await loadStandingEntries(sql, [{ kind, reference: signature }])).length > 0;
}

/** Answers whose account it was, and the book that the deposit returned to. */
async function postClosing(
  sql: Sql,
  { signature, walletAddress, intentId }: SignedTransaction,
  { failed, fee, slot, tokenAccountsClosed }: BalanceChanges,
): Promise<Closed> {
  const [account] = await sql.query<Closed & Deposit>(
    `select w.user_id as "userId", w.id as "walletId", w.kind as "walletKind", t.book_id as paid, t.rent_lamports as rent, t.mint, t.token_program as "tokenProgram",
       case when k.status = 'closed' then p.id else k.id end as target
     from wallet w join token_account t on t.wallet_id = w.id join book k on k.id = t.book_id
       join book p on p.wallet_id = w.id and p.user_id = w.user_id and p.kind = w.kind
     where w.address = $1 and t.address = $2 for update of t`,
    [walletAddress, intentId],
  );
  if (!account) throw new Error(`token account ${intentId} is closed on chain and not on record`);
  const { walletId, paid, target, rent, mint, tokenProgram } = account;
  const entry = { reference: signature, signature, slot };
  if (failed) {
    await postEntries(sql, [
      {
        ...entry,
        kind: 'rent-return-failed',
        postings: [
          ...(await payersOf(sql, walletId, target, fee)),
          { bookId: null, account: 'network-fee', asset: SOL, amount: fee },
        ],
      },
    ]);
    return account;
  }
  const came = tokenAccountsClosed.reduce((sum, closed) => sum + closed.rentLamports, 0n);
  // What somebody sent into the account is a deposit like any other and no gain of the book: in a strategy it would be made-up yield.
  const gift = larger(0n, came - larger<bigint>(rent, fee));
  const returned = came - gift;
  await postEntries(sql, [
    {
      ...entry,
      kind: 'rent-return',
      // What its row needs where the closing is taken back.
      memo: `${mint} ${tokenProgram}`,
      postings: [
        { bookId: paid, account: 'rent', asset: SOL, amount: -rent },
        { bookId: target, account: 'cash', asset: SOL, amount: returned - fee },
        { bookId: null, account: 'network-fee', asset: SOL, amount: fee },
        { bookId: null, account: 'token-account-rent', asset: SOL, amount: rent - returned },
      ],
    },
  ]);
  if (gift > 0n) {
    const { id: bookId } = await depositBookOf(sql, walletId);
    await postEntries(sql, [
      {
        ...entry,
        kind: 'deposit',
        reference: giftOf(signature),
        postings: [
          { bookId, account: 'cash', asset: SOL, amount: gift },
          { bookId: null, account: 'external', asset: SOL, amount: -gift },
        ],
      },
    ]);
  }
  await sql.write(`delete from token_account where address = $1`, [intentId]);
  return account;
}

function giftOf(signature: string): string {
  return `closing:${signature}`;
}

/** The wallet has paid, so what the book lacks that the deposit belongs to is paid by the wallet's others. */
async function payersOf(sql: Sql, walletId: string, bookId: string, fee: Lamports): Promise<Posting[]> {
  const free = await lockFreeBalances(sql, [walletId], [SOL]);
  const own = free.filter((row) => row.bookId === bookId && row.amount >= fee);
  return coverOutflow(own.length > 0 ? own : free, fee).map((part) => {
    return { bookId: part.bookId, account: 'cash', asset: SOL, amount: -part.amount };
  });
}

/** The chain dropped it, or it is final with another outcome: the account is open as before. */
async function takeBackClosing(
  sql: Sql,
  { signature, walletAddress, intentId }: SignedTransaction,
  at: Date,
): Promise<void> {
  const entries = await loadStandingEntries(sql, [
    { kind: 'rent-return', reference: signature },
    { kind: 'rent-return-failed', reference: signature },
    { kind: 'deposit', reference: giftOf(signature) },
  ]);
  if (entries.length === 0) return;
  await postEntries(
    sql,
    entries.map((entry) => reversalOf(entry, { at, cause: 'the closing did not happen' })),
  );
  const postings = entries.flatMap((entry) => entry.postings);
  const bookIds = postings.flatMap(({ account, bookId }) => (account === 'cash' && bookId) || []);
  await enqueueUndone(sql, { bookIds, signatures: [signature] });
  const deposit = postings.find(({ account }) => account === 'rent');
  const memo = entries.find(({ kind }) => kind === 'rent-return')?.memo;
  if (!deposit || memo === undefined) return;
  const [mint, tokenProgram] = memo.split(' ');
  await sql.write(
    `insert into token_account (wallet_id, mint, address, token_program, book_id, rent_lamports)
     select w.id, $2, $3, $4, $5, $6 from wallet w where w.address = $1 on conflict do nothing`,
    [walletAddress, mint, intentId, tokenProgram, deposit.bookId, -deposit.amount],
  );
}
