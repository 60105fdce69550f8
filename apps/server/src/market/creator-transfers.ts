import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { balanceChanges, lamportDelta } from '@hunter/solana/balance-changes';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { ChainTransaction, SignatureRow } from '@hunter/solana/rpc-replies';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database } from '../platform/postgres.ts';
import { passedOver, readTransactions, type PassedOver } from '../platform/read-transactions.ts';
import type { TokenDirectory, TokenRow } from './token-directory.ts';
import { TokenReading } from './token-reading.ts';
import { addTraders } from './trader-directory.ts';

const ROUND_MS = 2_000;
const TOKENS_PER_ROUND = 4;
/** A creator hands out early; later ones are worth fewer questions. */
const YOUNG_MS = 24 * 3_600_000;
const YOUNG_STALE_MS = 2 * 60_000;
const STALE_MS = 60 * 60_000;
/** Signatures listed by one call, and transactions read by one. */
const LIST_SIZE = 1_000;
const READ_SIZE = 200;
/** Read of one token before others get their turn. */
const TURN_SIZE = 1_000;
/**
 * Since the last reading. A stranger can name the creator's account in as many as he pays for, and each is read; where they are more,
 * nobody here knows any more who was given tokens, and says so.
 */
const UNREAD_MAX = 20_000;

type Deps = {
  rpc: Pick<RpcClient, 'getSignaturesForAddress' | 'getTransactions'>;
  database: Database;
  tokens: TokenDirectory;
  clock: Clock;
  log: Log;
  /** Told after what was read is stored. */
  onRead: (tokenId: number) => void;
};

/**
 * Finds who received a token by a transfer from its creator. Trades do not show that, so the transactions of the creator's own
 * token account are read, each once: when a token is first seen, every two minutes for a day, then every hour.
 */
export function creatorTransferReader(deps: Deps): Loop {
  const { tokens, clock, log } = deps;
  const name = 'reading of creators’ transfers';
  const reading = new TokenReading({ name, tokens, clock, log });
  return new Loop({
    name,
    work: () => readRound(deps, reading),
    everyMs: ROUND_MS,
    firstAfterMs: ROUND_MS,
    clock,
    log,
  });
}

async function readRound(deps: Deps, reading: TokenReading): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const rows = await deps.database.query<{ id: number; readTo: string | null }>(
    `select t.id, t.transfers_read_to as "readTo" from token t join token_stats s on s.token_id = t.id
     where t.creator is not null and t.id <> all($5::int[]) and (t.transfers_read_at is null or t.transfers_read_at < $1
       or (t.created_at > $2 and t.transfers_read_at < $3))
     order by t.transfers_read_at is not null, s.score desc limit $4`,
    [
      new Date(nowMs - STALE_MS),
      new Date(nowMs - YOUNG_MS),
      new Date(nowMs - YOUNG_STALE_MS),
      TOKENS_PER_ROUND,
      reading.leftAlone(),
    ],
  );
  const readTo = new Map(rows.map((row) => [row.id, row.readTo]));
  await reading.each([...readTo.keys()], async (token) => {
    if (!(await readTransfers(deps, token, readTo.get(token.id)!))) reading.leaveAlone(token.id, STALE_MS);
  });
}

/** Reads on after the transaction `readTo`, or from the first. False where there is more than is ever read. */
export async function readTransfers(deps: Deps, token: TokenRow, readTo: string | null): Promise<boolean> {
  const unread = await listUnread(deps, token, readTo);
  if (unread === null) {
    const facts = { mint: token.mint, limit: UNREAD_MAX };
    deps.log.warn(facts, 'a creator’s account has too many new transactions; who was given tokens is not known');
    await deps.database.write(`update token set transfers_read_at = null where id = $1`, [token.id]);
    deps.onRead(token.id);
    return false;
  }
  const turn = unread.slice(0, TURN_SIZE);
  const received = new Set<string>();
  let readUntil = 0;
  let missing: string | undefined;
  while (readUntil < turn.length && missing === undefined) {
    const part = turn.slice(readUntil, readUntil + READ_SIZE);
    missing = await readPart(deps, token, part, received);
    readUntil += missing === undefined ? part.length : part.findIndex(({ signature }) => signature === missing);
  }
  const isComplete = readUntil === unread.length;
  await saveReceivers(deps, token, [...received].sort(), turn[readUntil - 1]?.signature ?? readTo, isComplete);
  deps.onRead(token.id);
  if (missing !== undefined) throw new Error(`the node lists ${missing} and does not show it`);
  return true;
}

/** Oldest first, or null where they are too many. */
async function listUnread({ rpc }: Deps, token: TokenRow, readTo: string | null): Promise<SignatureRow[] | null> {
  const account = associatedTokenAddress(token.creator as Address, token.mint, token.tokenProgram as Address);
  const newestFirst: SignatureRow[] = [];
  while (newestFirst.length <= UNREAD_MAX) {
    const before = newestFirst.at(-1)?.signature;
    const page = await rpc.getSignaturesForAddress(account, {
      ...(before === undefined ? {} : { before }),
      ...(readTo === null ? {} : { until: readTo }),
      limit: LIST_SIZE,
      commitment: 'finalized',
    });
    newestFirst.push(...page);
    if (page.length < LIST_SIZE) return newestFirst.reverse();
  }
  return null;
}

/** Answers the first that the node does not show yet: it may not be passed. */
async function readPart(
  { rpc, log }: Deps,
  token: TokenRow,
  part: readonly SignatureRow[],
  received: Set<string>,
): Promise<string | undefined> {
  const signatures = part.filter(({ err }) => err === null).map(({ signature }) => signature);
  const { transactions, unreadable } = await readTransactions(rpc, signatures, 'finalized');
  for (const [index, transaction] of transactions.entries()) {
    const signature = signatures[index]!;
    if (transaction !== null) for (const owner of receiversOf(transaction, token)) received.add(owner);
    else if (unreadable.has(signature)) {
      const facts = { mint: token.mint, signature, err: unreadable.get(signature) };
      log.warn(facts, 'a transaction of a creator cannot be read and is passed over');
      passedOver.publish({ reader: 'creator-transfers' } satisfies PassedOver);
    } else return signature;
  }
  return undefined;
}

async function saveReceivers(
  { database, clock }: Deps,
  token: TokenRow,
  owners: readonly string[],
  readTo: string | null,
  isComplete: boolean,
): Promise<void> {
  if (owners.length > 0) {
    await addTraders(database, owners);
    await database.write(
      `insert into insider (token_id, trader_id) select $1, id from trader where address = any($2) on conflict do nothing`,
      [token.id, owners],
    );
  }
  await database.write(
    `update token set transfers_read_to = $2, transfers_read_at = case when $4 then $3 else transfers_read_at end
     where id = $1`,
    [token.id, readTo, new Date(clock.nowMs()), isComplete],
  );
}

/** Who gained what the creator gave away. Where he got SOL it was a sale, and no gift. */
export function receiversOf(
  transaction: ChainTransaction,
  token: Pick<TokenRow, 'mint' | 'creator' | 'pool'>,
): string[] {
  if (transaction.err !== null || token.creator === null) return [];
  const changes = balanceChanges(transaction);
  const own = changes.tokenDeltas.filter(({ mint }) => mint === token.mint);
  const gave = own.some(({ owner, delta }) => owner === token.creator && delta < 0n);
  if (!gave || lamportDelta(changes, token.creator as Address) > 0n) return [];
  return own.filter(({ owner, delta }) => delta > 0n && owner !== token.pool).map(({ owner }) => owner);
}
