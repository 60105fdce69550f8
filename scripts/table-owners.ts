import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from './project-files.ts';

/** The area of the server that owns each table and view: nobody else's SQL names it. */
const ownedBy = {
  platform: ['audit_event', 'lease', 'local_mail', 'outbox', 'server_secret', 'shared_rate'],
  alerts: ['alert', 'alert_choice', 'alert_delivery', 'price_alert', 'push_device', 'telegram_link'],
  sending: ['signed_transaction'],
  market: [
    'candle_1h',
    'candle_1m',
    'candle_hour',
    'candle_roll',
    'holder',
    'holder_history',
    'insider',
    'market_cursor',
    'notice',
    'sol_price',
    'token',
    'token_safety',
    'token_stats',
    'trade',
    'trader',
    'trader_day',
    'trader_stats',
  ],
  ledger: [
    'balance',
    'book',
    'fill',
    'fill_undone',
    'holding',
    'journal_entry',
    'journal_line',
    'kept_line',
    'position',
    'posting',
    'round_entry',
    'round_fill',
    'round_line',
    'round_trip',
    'standing_fill',
    'wallet',
  ],
  trading: [
    'allocation',
    'difference_settlement',
    'filled_allocation',
    'reconciliation_alarm',
    'token_account',
    'trade_order',
  ],
  triggers: ['order_trigger', 'trigger_firing'],
  treasury: [
    'foreign_account',
    'reserve_asset',
    'reserve_snapshot',
    'reserve_tree',
    'reserve_wallet',
    'transfer',
    'transfer_leg',
    'unreadable_transaction',
    'wallet_link',
    'wallet_movement',
    'watched_address',
    'withdrawal',
    'withdrawal_address',
  ],
  strategies: [
    'follow',
    'nav_point',
    'paper_follow',
    'pool_mark',
    'record_trip',
    'round_market',
    'strategy',
    'strategy_event',
    'strategy_stats',
  ],
  portfolio: ['equity_point'],
  accounts: [
    'api_key',
    'email_code',
    'email_code_day',
    'ended_session',
    'hidden_token',
    'invite',
    'invite_use',
    'known_device',
    'login_failure',
    'mail_link',
    'password_change',
    'operator_read',
    'saved_item',
    'session',
    'tracked_wallet',
    'users',
    'watched_token',
  ],
  'wallet-follows': ['paper_wallet_follow', 'wallet_copy', 'wallet_follow'],
  http: ['idempotency'],
} as const satisfies Record<string, readonly string[]>;

export const tableOwners: ReadonlyMap<string, string> = new Map(
  Object.entries(ownedBy).flatMap(([area, tables]) => tables.map((table) => [table, area] as const)),
);

/** Statements that still name another area's tables. The list may only shrink: what is no longer needed is refused. */
const joinsAcross: Readonly<Record<string, readonly string[]>> = {
  'accounts/sessions.ts': ['audit_event'],
  'trading/compare-wallet.ts': ['wallet_movement'],
  'trading/order-store.ts': ['book', 'wallet'],
  'trading/place-orders.ts': ['book', 'holding', 'wallet'],
  'trading/rent-reclaimer.ts': ['balance', 'book', 'wallet'],
  'trading/trade.ts': ['users'],
  'treasury/watched-addresses.ts': ['wallet'],
};

const isTest = (file: string): boolean => /(\.test|-for-test)\.ts$/.test(file);
const areaOf = (file: string): string | undefined => /^apps\/server\/src\/([\w-]+)\//.exec(file)?.[1];

const naming = /\b(from|join|into|update|truncate)\s+(?:only\s+)?([a-z_][a-z0-9_]*)/g;

/** The tables that a file's SQL names, and whether any of them is written. */
export function tablesNamed(source: string): Map<string, 'read' | 'written'> {
  const found = new Map<string, 'read' | 'written'>();
  for (const text of sqlTexts(source)) {
    for (const match of text.matchAll(naming)) {
      const [verb, table] = [match[1]!, match[2]!];
      if (!tableOwners.has(table)) continue;
      const writes = verb === 'from' ? /\bdelete\s+$/.test(text.slice(0, match.index)) : verb !== 'join';
      if (writes || !found.has(table)) found.set(table, writes ? 'written' : 'read');
    }
  }
  return found;
}

/** All literals: our SQL is in lower case, and prose that reads like it names no table. `for update` only locks. */
function sqlTexts(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const literals = code.match(/`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'/g) ?? [];
  return literals.map((literal) => literal.replaceAll(/\bfor (no key )?update\b|\bdo update\b/g, ''));
}

/** Why a file may not name a table, or undefined. */
export function tableRefusal(file: string, table: string, use: 'read' | 'written'): string | undefined {
  const area = areaOf(file);
  const owner = tableOwners.get(table);
  if (area === undefined || owner === undefined || area === owner) return undefined;
  if (area === 'portfolio')
    return use === 'written' ? `portfolio only reads, and writes ${table} of ${owner}` : undefined;
  return `the table ${table} belongs to ${owner}, not to ${area}`;
}

export function checkTableOwners(project: string): string[] {
  const complaints: string[] = [];
  const unused = new Set(
    Object.entries(joinsAcross).flatMap(([file, tables]) => tables.map((table) => `${file} ${table}`)),
  );
  const files = projectFiles(project).filter((file) => file.startsWith('apps/server/src/') && file.endsWith('.ts'));
  for (const file of files.filter((path) => !isTest(path))) {
    const relative = file.slice('apps/server/src/'.length);
    for (const [table, use] of tablesNamed(readFileSync(join(project, file), 'utf8'))) {
      const reason = tableRefusal(file, table, use);
      if (reason === undefined) continue;
      if (joinsAcross[relative]?.includes(table)) unused.delete(`${relative} ${table}`);
      else complaints.push(`${file}: ${reason}`);
    }
  }
  for (const entry of unused) complaints.push(`scripts/table-owners.ts: ${entry} is allowed and no longer needed`);
  return [...complaints, ...ownerless(project)];
}

/** Every table of the schema has an owner, and every table named here is in the schema. */
function ownerless(project: string): string[] {
  const made = new Set<string>();
  for (const file of projectFiles(project).filter((path) => /^apps\/server\/migrations\/.*\.sql$/.test(path))) {
    const sql = readFileSync(join(project, file), 'utf8');
    for (const [, verb, names] of sql.matchAll(
      /^\s*(create|drop) (?:(?:unlogged )?table|view) (?:if (?:not )?exists )?(\w+(?:, \w+)*)/gm,
    )) {
      for (const table of names!.split(', ')) {
        if (verb === 'create') made.add(table);
        else made.delete(table);
      }
    }
  }
  const orphans = [...made].filter((table) => !tableOwners.has(table));
  const gone = [...tableOwners.keys()].filter((table) => !made.has(table));
  return [
    ...orphans.map((table) => `scripts/table-owners.ts: the table ${table} has no owner`),
    ...gone.map((table) => `scripts/table-owners.ts: the table ${table} does not exist`),
  ];
}
