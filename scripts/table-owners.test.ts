import { expect, it } from 'vitest';
import { tableRefusal, tablesNamed } from './table-owners.ts';

it('finds the tables a statement reads and writes, and none in comments, locks or prose', () => {
  const source = `
    // select 1 from session
    /** Reads from users. */
    const told = 'an order from the book';
    await sql.query(\`select b.amount from balance b join wallet w on w.id = b.id for update of b\`);
    await sql.query(\`insert into trade_order (id) select 1 on conflict do update set id = 1\`);
    await sql.query('delete from outbox where id = 1');
    await sql.query(\`update only position set quantity = 0\`);
  `;
  expect([...tablesNamed(source)]).toEqual([
    ['balance', 'read'],
    ['wallet', 'read'],
    ['trade_order', 'written'],
    ['outbox', 'written'],
    ['position', 'written'],
  ]);
});

it('lets an area name its own tables and no others', () => {
  expect(tableRefusal('apps/server/src/ledger/journal.ts', 'posting', 'written')).toBeUndefined();
  expect(tableRefusal('apps/server/src/trading/trade.ts', 'posting', 'read')).toBe(
    'the table posting belongs to ledger, not to trading',
  );
});

it('lets the portfolio read every table and write none', () => {
  expect(tableRefusal('apps/server/src/portfolio/account-reads.ts', 'posting', 'read')).toBeUndefined();
  expect(tableRefusal('apps/server/src/portfolio/account-reads.ts', 'posting', 'written')).toBe(
    'portfolio only reads, and writes posting of ledger',
  );
});
