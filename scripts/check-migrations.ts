import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsOf } from '../apps/server/src/platform/migrate.ts';
import { projectFiles } from './project-files.ts';

const isMigration = (file: string): boolean => /^apps\/server\/migrations\/\d{4}-/.test(file);
const nameOf = (file: string): string => file.split('/').at(-1)!;

/** Two branches that each took the next number would otherwise only fail when the server starts. */
export function duplicateMigrations(files: readonly string[]): string[] {
  const byNumber = Map.groupBy(files.filter(isMigration), (file) => nameOf(file).slice(0, 4));
  return [...byNumber].filter(([, same]) => same.length > 1).map(([, same]) => `the same number: ${same.join(', ')}`);
}

/** Of statements without bodies of functions. What is created in the same file, no older program knows. */
const TAKES_AWAY: readonly (readonly [what: string, finds: RegExp])[] = [
  ['drops something', /\bdrop (?!constraint\b|not null\b|default\b|expression\b)/],
  ['renames something', /\brename\b/],
  ['changes the type of a column', /\balter (column )?\w+ (set data )?type\b/],
  ['makes a column not null', /\bset not null\b/],
];

/** What a migration takes away from programs that are older than it, in words. */
export function takenAway(sql: string): string[] {
  const statements = sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
  const own = new Set(
    statements.flatMap((text) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []),
  );
  const all = statements.join(';');
  return statements.flatMap((text) => {
    const table = /^(?:alter table (?:only )?|create unique index (?:\w+ )?on (?:only )?)(\w+)/.exec(text)?.[1];
    if (table !== undefined && own.has(table)) return [];
    const found = TAKES_AWAY.filter(([, finds]) => finds.test(text)).map(([what]) => what);
    if (text.startsWith('create unique index')) found.push('adds a unique index');
    if (!text.startsWith('alter table')) return found;
    for (const [, added] of text.matchAll(/\badd column (.*?)(?=, add |, drop |, alter |$)/g)) {
      if (/\bnot null\b/.test(added!) && !/\b(default|generated)\b/.test(added!)) {
        found.push('adds a column that is not null without a default');
      }
    }
    // A constraint that is replaced under its name allows more than before.
    for (const [, verb, name] of text.matchAll(/\b(add|drop) constraint (?:if exists )?(\w+)/g)) {
      const other = verb === 'add' ? 'drop' : 'add';
      if (!new RegExp(`\\b${other} constraint (if exists )?${name}\\b`).test(all)) found.push(`${verb}s a constraint`);
    }
    if (/\badd (check|unique|primary key|foreign key|exclude)\b/.test(text)) found.push('adds a constraint');
    return found;
  });
}

/** Programs of the version before must go on running: what takes something away says from which program on that is harmless. */
export function undeclaredContracts(file: string, sql: string): string[] {
  const needs = needsOf(nameOf(file), sql);
  const number = nameOf(file).slice(0, 4);
  if (needs !== null) return needs > number ? [`${file} names programs that are newer than itself`] : [];
  return takenAway(sql).map(
    (what) =>
      `${file} ${what} without the line "-- contract: programs from NNNN on" (docs/operations.md, "Upgrading"): older programs may still run`,
  );
}

export function checkMigrations(project: string): string[] {
  const files = projectFiles(project).filter(isMigration);
  return [
    ...duplicateMigrations(files),
    ...files.flatMap((file) => undeclaredContracts(file, readFileSync(join(project, file), 'utf8'))),
  ];
}
