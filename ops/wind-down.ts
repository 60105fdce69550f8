import { parseArgs } from 'node:util';
import { loadRemaining, windDown } from '../apps/server/src/strategies/wind-down.ts';
import { fail, openDatabase, say } from './connection.ts';

const USAGE = `Usage: npm run wind-down                                                   lists what is still ending
       npm run wind-down -- SLUG --operator NAME --reason TEXT            ends one strategy
       npm run wind-down -- --all --operator NAME --reason TEXT           ends all strategies`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, operator: { type: 'string' }, reason: { type: 'string' } },
});
const slug = positionals[0] ?? null;
const isAsked = slug !== null || values.all === true;
const operator = values.operator?.trim() ?? '';
const reason = values.reason?.trim() ?? '';
if (positionals.length > 1 || (slug !== null && values.all === true)) fail(`One slug, or --all.\n${USAGE}`);
if (!isAsked && operator + reason !== '') fail(`Which strategy? A slug, or --all.\n${USAGE}`);
if (isAsked && (operator === '' || reason === '')) fail(`--operator and --reason are needed.\n${USAGE}`);

const database = await openDatabase();
if (isAsked) {
  const ending = await windDown(database, { slug, operator, reason }, new Date());
  say(ending.length === 0 ? 'No running strategy to end.' : `The running server ends: ${ending.join(', ')}.`);
}
const remaining = await loadRemaining(database);
await database.close();
for (const { slug: each, status, openFollows, refusals } of remaining) {
  say(`${each}: ${status}, open follows: ${openFollows}${refusals === 0 ? '' : `, market refused ${refusals} times`}`);
}
if (remaining.length === 0) say('Nothing is left to end.');
