import type { Sql } from './postgres.ts';
import { columnsOf } from './columns-of.ts';

/**
 * A lease says who may do what only one process at a time may do. The row in the table `lease` is the truth: a takeover
 * raises its epoch, and whoever decides under a lease asks `requireLease` inside the transaction of that decision. An owner
 * who was paused while another took over then fails there, however late he wakes up. `until` is compared with the
 * database's clock only, and only says when others may take over: an owner whom nobody replaced goes on.
 */
export type Lease = { readonly name: string; readonly owner: string; readonly epoch: bigint };
export type LeaseHolder = { readonly owner: string; readonly since: Date; readonly until: Date };

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(lease: Lease) {
    super(`the lease "${lease.name}" (epoch ${lease.epoch}) was taken over by another process`);
  }
}

/** Null where another owner holds it, unless `isFormerOwnerGone` says that he cannot come back. */
export async function takeLease(
  sql: Sql,
  name: string,
  owner: string,
  { durationMs, isFormerOwnerGone = false }: { durationMs: number; isFormerOwnerGone?: boolean },
): Promise<Lease | null> {
  const [row] = await sql.write<{ epoch: bigint }>(
    `insert into lease (name, owner, epoch, since, until)
     values ($1, $2, 1, clock_timestamp(), clock_timestamp() + make_interval(secs => $3))
     on conflict (name) do update
     set owner = excluded.owner, epoch = lease.epoch + 1, since = excluded.since, until = excluded.until
     where ($4 and lease.owner <> excluded.owner) or lease.until < clock_timestamp()
     returning epoch`,
    [name, owner, durationMs / 1000, isFormerOwnerGone],
  );
  return row ? { name, owner, epoch: row.epoch } : null;
}

/**
 * For owners who are several processes: null unless this very owner has it. The epoch stays, also where the lease has run out: while the
 * database was away nobody could renew it, and those who had it go on.
 */
export async function joinLease(sql: Sql, name: string, owner: string, durationMs: number): Promise<Lease | null> {
  const [row] = await sql.write<{ epoch: bigint }>(
    `update lease set until = greatest(until, clock_timestamp() + make_interval(secs => $3)),
       since = case when until < clock_timestamp() then clock_timestamp() else since end
     where name = $1 and owner = $2 returning epoch`,
    [name, owner, durationMs / 1000],
  );
  return row ? { name, owner, epoch: row.epoch } : null;
}

/** Renews many of one owner; answers those that another has taken over. */
export async function renewLeases(sql: Sql, leases: readonly Lease[], durationMs: number): Promise<Lease[]> {
  if (leases.length === 0) return [];
  const rows = await sql.write<{ name: string }>(
    `update lease l set until = clock_timestamp() + make_interval(secs => $4)
     from unnest($1::text[], $2::text[], $3::bigint[]) as v (name, owner, epoch)
     where l.name = v.name and l.owner = v.owner and l.epoch = v.epoch returning l.name`,
    [...columnsOf(leases, 'name', 'owner', 'epoch'), durationMs / 1000],
  );
  const kept = new Set(rows.map(({ name }) => name));
  return leases.filter(({ name }) => !kept.has(name));
}

/** False once another has taken it over. */
export async function renewLease(sql: Sql, lease: Lease, durationMs: number): Promise<boolean> {
  const rows = await sql.write(
    `update lease set until = clock_timestamp() + make_interval(secs => $4)
     where name = $1 and owner = $2 and epoch = $3 returning epoch`,
    [lease.name, lease.owner, lease.epoch, durationMs / 1000],
  );
  return rows.length === 1;
}

/** Lets the next owner take it over at once. */
export async function releaseLease(sql: Sql, lease: Lease): Promise<void> {
  await sql.write(
    `update lease set until = clock_timestamp() - interval '1 millisecond' where name = $1 and owner = $2 and epoch = $3`,
    [lease.name, lease.owner, lease.epoch],
  );
}

/**
 * How many leases are held now whose name begins so. Those that ended long ago are removed: such names
 * are made up by each process and never taken twice.
 */
export async function countLeases(sql: Sql, opening: string): Promise<number> {
  await sql.write(`delete from lease where starts_with(name, $1) and until < clock_timestamp() - interval '1 hour'`, [
    opening,
  ]);
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from lease where starts_with(name, $1) and until > clock_timestamp()`,
    [opening],
  );
  return row!.count;
}

/** Throws `LeaseLostError` unless the lease is still held; until the end of the transaction `sql` nobody takes it over. */
export async function requireLease(sql: Sql, lease: Lease): Promise<void> {
  const rows = await sql.query(`select epoch from lease where name = $1 and owner = $2 and epoch = $3 for key share`, [
    lease.name,
    lease.owner,
    lease.epoch,
  ]);
  if (rows.length === 0) throw new LeaseLostError(lease);
}

export async function loadLeaseHolder(sql: Sql, name: string): Promise<LeaseHolder | null> {
  const [row] = await sql.query<LeaseHolder>(`select owner, since, until from lease where name = $1`, [name]);
  return row ?? null;
}
