import {
  DISCOVER_FIELDS,
  DISCOVER_LISTS,
  DISCOVER_WORDS_MAX,
  discoverFields,
  discoverWords,
  type DiscoverField,
  type DiscoverFilter,
} from '@hunter/domain/market/discover';
import { z } from 'zod';
import { call } from '../call.ts';
import {
  bound,
  chainId,
  countOrUnknown,
  listOf,
  percent,
  queryNumber,
  sol,
  solanaAddress,
  timeMs,
  usdOrUnknown,
} from '../fields.ts';
import { badgeLevel, tokenListItem } from './market.ts';

/** Wallets of one kind, and the part of the supply that they hold together now. Null where it is not known. */
const holderKind = z.object({ wallets: z.number().int(), share: z.string() }).nullable();

export const discoverToken = tokenListItem.extend({
  /** Volume, change, buys and sells of the chosen period. */
  volume: usdOrUnknown,
  periodChange: percent,
  buys: countOrUnknown,
  sells: countOrUnknown,
  /** Percent since the first trade; null where the launch was not recorded. */
  changeSinceLaunch: percent,
  trend: z.array(z.number()),
  risk: badgeLevel,
  createdAt: timeMs,
  creator: z.string().nullable(),
  /** Shares of the supply in percent, pools left out. */
  top10: percent,
  creatorShare: percent,
  /** Other tokens of the same creator. */
  creatorTokens: z.number().int().nullable(),
  snipers: holderKind,
  bundlers: holderKind,
  insiders: holderKind,
  freshWallets: holderKind,
  /** Wallets of proven profit that hold it now and paid at least 0.05 SOL for it. */
  provenTraders: z.number().int().nullable(),
  /** SOL that traders paid to the network for trading it: base fee and priority. */
  fees: sol.nullable(),
  /** `curve`: still on its launch curve. Null where the venue does not say. */
  stage: z.enum(['curve', 'graduated']).nullable(),
  /** Percent of the SOL at which it graduates; null without a curve. */
  curve: percent,
  graduatedAt: timeMs.nullable(),
  links: z.array(z.object({ kind: z.enum(['website', 'x', 'telegram']), url: z.string() })).nullable(),
});

const bounds = Object.fromEntries(
  discoverFields.flatMap((field) => {
    const schema = bound(DISCOVER_FIELDS[field].decimals).optional();
    return [
      [`${field}Min`, schema],
      [`${field}Max`, schema],
    ];
  }),
) as Record<`${DiscoverField}${'Min' | 'Max'}`, z.ZodOptional<ReturnType<typeof bound>>>;

const words = z
  .string()
  .max(200)
  .default('')
  .transform(discoverWords)
  .pipe(z.array(z.string()).max(DISCOVER_WORDS_MAX));

const request = z
  .strictObject({
    chainId: chainId.optional(),
    list: z.enum(DISCOVER_LISTS).default('trending'),
    period: z.enum(['5m', '1h', '4h', '24h']).default('1h'),
    /** Instead of the list's own order. */
    sortBy: z.enum(discoverFields as [DiscoverField, ...DiscoverField[]]).optional(),
    order: z.enum(['asc', 'desc']).default('desc'),
    include: words,
    exclude: words,
    limit: queryNumber(1, 200).default(100),
    ...bounds,
  })
  .superRefine((fields, context) => {
    for (const field of discoverFields) {
      const [min, max] = [fields[`${field}Min`], fields[`${field}Max`]];
      if (min === undefined || max === undefined || min <= max) continue;
      context.addIssue({ code: 'custom', path: [`${field}Max`], params: { reason: 'range' } });
    }
  });

/** The filter that a parsed request asks for. */
export function filterOf(fields: z.output<typeof request>): DiscoverFilter {
  const ranges: Partial<Record<DiscoverField, { min?: bigint; max?: bigint }>> = {};
  for (const field of discoverFields) {
    const [min, max] = [fields[`${field}Min`], fields[`${field}Max`]];
    if (min === undefined && max === undefined) continue;
    ranges[field] = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  }
  return { ranges, include: fields.include, exclude: fields.exclude };
}

export const discoverCalls = {
  getTokenDiscover: call({
    method: 'GET',
    path: '/api/token/getTokenDiscover',
    access: 'open',
    effect: 'read',
    about:
      'Tokens of the market by list, filtered by ranges (figures that are not known pass none) and by words in name or symbol; the watchlist needs a session.',
    request,
    reply: z.object({
      lists: z.array(discoverToken),
      /** How many pass the filter, shown or not. */
      total: z.number().int(),
      /** How many tokens the market has at all; 0 while it is read for the first time. */
      marketTokens: z.number().int(),
      time: timeMs,
    }),
  }),
  getMyWatchlist: call({
    method: 'GET',
    path: '/api/user/getMyWatchlist',
    access: 'user',
    effect: 'read',
    about: 'Addresses of the tokens that the user watches, newest first.',
    request: z.strictObject({}),
    reply: listOf(z.string()),
  }),
  watchToken: call({
    method: 'POST',
    path: '/api/user/watchToken',
    access: 'user',
    effect: 'write',
    about: 'Puts a token on the watchlist or takes it off; at most 200 are kept.',
    request: z.strictObject({ tokenContractAddress: solanaAddress, watched: z.boolean() }),
    reply: listOf(z.string()),
  }),
};
