// `npm run verify -- SLUG [--url http://localhost:3000] [--rpc URL] [--venue URL]` or `--all`.
//
// Recomputes what a strategy's page says from the transactions on chain: amounts, fees, holdings, cost, win rate, equity and yield.
// From the product it takes only the list of transactions, the capital, and what left the strategy in kind at its end; from the venue
// the address of each pool and the constants of its curve. Everything that is counted is read from the chain. What it cannot
// see is whether the list is complete: other trades of the same wallet belong to other books, and only their number is printed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Chain } from './chain.ts';
import { verifyStrategy } from './verify-strategy.ts';
import { Venue } from './venue.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    rpc: { type: 'string' },
    venue: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
});

type Endpoints = { web: string; rpc: string; venue: string };

function endpoints(): Endpoints {
  const given = { web: values.url, rpc: values.rpc, venue: values.venue };
  if (given.web && given.rpc && given.venue) return given as Endpoints;
  const file = join(process.env['DATA_DIR'] ?? 'data', 'endpoints.json');
  const known = JSON.parse(readFileSync(file, 'utf8')) as Endpoints;
  return { web: given.web ?? known.web, rpc: given.rpc ?? known.rpc, venue: given.venue ?? known.venue };
}

async function allSlugs(web: string): Promise<string[]> {
  const slugs: string[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const reply = await fetch(`${web}/api/strategy/getStrategyList?pageSize=100&pageNo=${pageNo}`);
    const { data } = (await reply.json()) as { data: { lists: { slug: string }[]; total: number } };
    slugs.push(...data.lists.map((row) => row.slug));
    if (data.lists.length === 0 || slugs.length >= data.total) return slugs;
  }
}

const { web, rpc, venue } = endpoints();
const slugs = values.all ? await allSlugs(web) : positionals;
if (slugs.length === 0) {
  process.stderr.write('Which strategy? npm run verify -- SLUG, or --all\n');
  process.exit(2);
}
let differences = 0;
for (const slug of slugs)
  differences += await verifyStrategy({ web, slug, chain: new Chain(rpc), venue: new Venue(venue) });
process.stdout.write(
  differences === 0 ? `\nEverything agrees (${slugs.length}).\n` : `\n${differences} figures differ.\n`,
);
process.exit(differences === 0 ? 0 : 1);
