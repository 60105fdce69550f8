import { describe, expect, it } from 'vitest';
import { duplicateMigrations, takenAway, undeclaredContracts } from './check-migrations.ts';

it('reports migrations that share a number', () => {
  const files = ['0001-a.sql', '0002-b.sql', '0002-c.sql'].map((file) => `apps/server/migrations/${file}`);
  expect(duplicateMigrations(files.slice(0, 2))).toEqual([]);
  expect(duplicateMigrations(files)).toEqual([`the same number: ${files[1]}, ${files[2]}`]);
});

describe('what a migration takes away from older programs', () => {
  it.each([
    ['drop table note', 'drops something'],
    ['alter table note drop column n', 'drops something'],
    ['alter table note\n  add column m int, drop n', 'drops something'],
    ['drop index note_once', 'drops something'],
    ['alter table note rename column n to m', 'renames something'],
    ['alter table note alter column n type bigint', 'changes the type of a column'],
    ['alter table note alter n set not null', 'makes a column not null'],
    [
      'alter table note add column m int not null, add column k int',
      'adds a column that is not null without a default',
    ],
    ['create unique index note_once on note (n)', 'adds a unique index'],
    ['alter table note add constraint few check (n < 3)', 'adds a constraint'],
    ['alter table note drop constraint few', 'drops a constraint'],
    ['alter table note add unique (n)', 'adds a constraint'],
  ])('%s', (sql, what) => {
    expect(takenAway(sql)).toEqual([what]);
  });

  it.each([
    [
      'create table note (n int not null); create unique index note_once on note (n); alter table note add check (n > 0)',
    ],
    ['alter table old add column m int, add column k numeric(20, 0) not null default 0'],
    ['alter table old drop constraint few; alter table old add constraint few check (n < 5)'],
    ['create function f() returns void language plpgsql as $$ begin drop table day_change; end $$'],
    ['-- drop table note\nselect 1'],
    ['alter table old alter column m drop not null'],
    ['create index old_m on old (m)'],
  ])('is nothing: %s', (sql) => {
    expect(takenAway(sql)).toEqual([]);
  });
});

it('lets a migration take something away that says from which program on that is harmless', () => {
  const file = 'apps/server/migrations/0090-without-notes.sql';
  expect(undeclaredContracts(file, 'drop table note')).toHaveLength(1);
  expect(undeclaredContracts(file, '-- contract: programs from 0088 on\ndrop table note')).toEqual([]);
  expect(undeclaredContracts(file, '-- contract: programs from 0091 on\ndrop table note')).toHaveLength(1);
});
