import { expect, it } from 'vitest';
import { duplicateMigrations } from './check-migrations.ts';

it('reports migrations that share a number', () => {
  const files = ['0001-a.sql', '0002-b.sql', '0002-c.sql'].map((file) => `apps/server/migrations/${file}`);
  expect(duplicateMigrations(files.slice(0, 2))).toEqual([]);
  expect(duplicateMigrations(files)).toEqual([`the same number: ${files[1]}, ${files[2]}`]);
});
