// What the square shows, kept in the address so that a view can be shared and Back returns to it.
export const sorts = ['score', 'yield', 'followerReturn', 'funds', 'followers', 'newest', 'winRate'] as const;
export const tiers = ['all', 'ranked', 'new'] as const;
export const states = ['running', 'ended'] as const;

type SquareSort = (typeof sorts)[number];
export type SquareTier = (typeof tiers)[number];
type SquareState = (typeof states)[number];
/** Only what differs from the usual view stands in the address. */
export type SquareSearch = {
  tier?: SquareTier;
  sort?: SquareSort;
  state?: SquareState;
  keyword?: string;
  create?: true;
};

export const KEYWORD_LENGTH_MAX = 100;

export function readSquareSearch(search: Record<string, unknown>): SquareSearch {
  const sort = sorts.find((key) => key === search['sort']);
  const tier = tiers.find((key) => key === search['tier']);
  const state = states.find((key) => key === search['state']);
  const keyword = search['keyword'];
  const text = typeof keyword === 'string' || typeof keyword === 'number' ? String(keyword).trim() : '';
  return {
    ...(tier && tier !== 'all' ? { tier } : {}),
    ...(sort && sort !== 'score' ? { sort } : {}),
    ...(state && state !== 'running' ? { state } : {}),
    ...(text === '' ? {} : { keyword: text.slice(0, KEYWORD_LENGTH_MAX) }),
    ...(search['create'] === true ? { create: true } : {}),
  };
}

const PAGE_SIZE = 24;

/** The question to the server that a view asks; the boot script asks it as well, before the page's code is there. */
export function squareRequest({ tier = 'all', sort = 'score', state = 'running', keyword = '' }: SquareSearch) {
  return { scope: 'all', tier, status: state, sortBy: sort, keyword, pageSize: PAGE_SIZE } as const;
}
