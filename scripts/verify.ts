// `npm run verify -- SLUG [--url http://localhost:3000] [--rpc URL]` or `--all`: `packages/verify` on the command line.
// What it cannot see for certain is whether the published list is complete: docs/decisions/0008-what-a-strategy-record-proves.md.

import '../ops/one-line.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Chain } from '../packages/verify/src/chain.ts';
import { Published } from '../packages/verify/src/published.ts';
import type { Figure, FigureKey } from '../packages/verify/src/report.ts';
import { verifyStrategy, type StrategyReport } from '../packages/verify/src/verify-strategy.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, rpc: { type: 'string' }, all: { type: 'boolean', default: false } },
});

const names: Readonly<Record<FigureKey, string>> = {
  transactions: 'transactions that agree',
  tradeTokens: 'tokens',
  tradeSol: 'SOL',
  tradeFee: 'network fee',
  tradeSide: 'side',
  held: 'held',
  cost: 'cost SOL',
  poolVaults: 'pools with a vault of the coin',
  coinsHeld: 'coins held',
  freeSol: 'free SOL',
  equity: 'equity SOL',
  profit: 'profit SOL',
  yield: 'yield %',
  handedOver: 'handed over',
  solReturned: 'SOL returned',
  closedTrips: 'closed round trips',
  winRate: 'win rate %',
  unsoldAtLoss: 'unsold trades at a loss',
  realized: 'realized SOL',
  networkFees: 'network fees SOL',
  drawdown: 'max drawdown %',
  otherRounds: 'rounds not in the record',
  hiddenSwaps: 'swaps not in the record',
  missingRounds: 'signs of a creator’s round left out',
  otherSwaps: 'other swaps of a shared wallet',
};

const marks: Readonly<Record<Figure['verdict'], string>> = { same: ' ', different: '≠', computed: ' ', published: 'p' };

function endpoints(): { web: string; rpc: string } {
  if (values.url && values.rpc) return { web: values.url, rpc: values.rpc };
  const file = join(process.env['DATA_DIR']?.trim() || 'data', 'endpoints.json');
  if (!existsSync(file))
    throw new Error(`there is no ${file}: set DATA_DIR to the data folder, or give --url and --rpc`);
  const known = JSON.parse(readFileSync(file, 'utf8')) as { web: string; rpc: string };
  return { web: values.url ?? known.web, rpc: values.rpc ?? known.rpc };
}

function print({ slug, report }: StrategyReport): void {
  const line = (mark: string, name: string, published: string, recomputed: string): string =>
    `  ${mark} ${name.padEnd(36)} ${published.padStart(24)} ${recomputed.padStart(24)}\n`;
  const lines = report.figures.map(({ key, subject, published, recomputed, verdict }) => {
    const name = subject === null ? names[key] : `${subject.slice(0, 12)} ${names[key]}`;
    return line(marks[verdict], name, published ?? '', recomputed ?? 'as published');
  });
  process.stdout.write(`\n${slug}\n${line('', '', 'published', 'from the chain')}${lines.join('')}`);
}

const { web, rpc } = endpoints();
const published = new Published(web, fetch);
const slugs = values.all ? await published.slugs() : positionals;
if (slugs.length === 0) {
  process.stderr.write('Which strategy? npm run verify -- SLUG, or --all\n');
  process.exit(2);
}
const chain = new Chain(rpc, fetch);
let differences = 0;
const shared: string[] = [];
for (const slug of slugs) {
  const result = await verifyStrategy({ published, chain, slug }).catch((cause: Error) => {
    throw new Error(`${slug} cannot be verified`, { cause });
  });
  print(result);
  differences += result.report.differences;
  if (result.report.figures.some(({ key }) => key === 'otherSwaps')) shared.push(slug);
}
if (shared.length > 0) {
  process.stdout.write(
    `\nIn a wallet with other books, where nothing shows whether the record is complete: ${shared.join(', ')}\n`,
  );
}
process.stdout.write(
  differences === 0 ? `\nEverything agrees (${slugs.length}).\n` : `\n${differences} figures differ.\n`,
);
process.exit(differences === 0 ? 0 : 1);
