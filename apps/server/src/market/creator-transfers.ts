import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { balanceChanges, lamportDelta } from '@hunter/solana/balance-changes';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { ChainTransaction } from '@hunter/solana/rpc-replies';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database } from '../platform/postgres.ts';
import type { TokenDirectory, TokenRow } from './token-directory.ts';
import { TokenReading } from './token-reading.ts';

const ROUND_MS = 2_000;
const TOKENS_PER_ROUND = 4;
/** A creator hands out early; later ones are worth fewer questions. */
const YOUNG_MS = 24 * 3_600_000;
const YOUNG_STALE_MS = 2 * 60_000;
const STALE_MS = 60 * 60_000;
const PAGE_SIZE = 200;

type Deps = {
  rpc: Pick<RpcClient, 'getSignaturesForAddress' | 'getTransactions'>;
  database: Database;
  tokens: TokenDirectory;
  clock: Clock;
  /** Told after what was read is stored. */
  onRead: (tokenId: number) => void;
};

/**
 * Finds who received a token by a transfer from its creator. Trades do not show that, so the transactions of the creator's own
 * token account are read, each once: when a token is first seen, every two minutes for a day, then every hour.
 */
export function creatorTransferReader(deps: Deps & { log: Log }): Loop {
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
  await reading.each([...readTo.keys()], (token) => readTransfers(deps, token, readTo.get(token.id)!));
}

/** Reads what happened after the transaction `readTo`, or everything. */
async function readTransfers(deps: Deps, token: TokenRow, readTo: string | null): Promise<void> {
  const account = associatedTokenAddress(token.creator as Address, token.mint, token.tokenProgram as Address);
  const received = new Set<string>();
  let newest: string | null = null;
  let before: string | undefined;
  for (;;) {
    const page = await deps.rpc.getSignaturesForAddress(account, {
      ...(before === undefined ? {} : { before }),
      ...(readTo === null ? {} : { until: readTo }),
      limit: PAGE_SIZE,
      commitment: 'finalized',
    });
    newest ??= page[0]?.signature ?? null;
    const signatures = page.filter(({ err }) => err === null).map(({ signature }) => signature);
    for (const transaction of await deps.rpc.getTransactions(signatures, 'finalized')) {
      if (transaction) for (const owner of receiversOf(transaction, token)) received.add(owner);
    }
    if (page.length < PAGE_SIZE) break;
    before = page.at(-1)!.signature;
  }
  await saveReceivers(deps, token, [...received].sort(), newest ?? readTo);
  deps.onRead(token.id);
}

async function saveReceivers(
  { database, clock }: Deps,
  token: TokenRow,
  owners: readonly string[],
  readTo: string | null,
): Promise<void> {
  if (owners.length > 0) {
    await database.write(`insert into trader (address) select unnest($1::text[]) on conflict do nothing`, [owners]);
    await database.write(
      `insert into insider (token_id, trader_id) select $1, id from trader where address = any($2) on conflict do nothing`,
      [token.id, owners],
    );
  }
  await database.write(`update token set transfers_read_to = $2, transfers_read_at = $3 where id = $1`, [
    token.id,
    readTo,
    new Date(clock.nowMs()),
  ]);
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
