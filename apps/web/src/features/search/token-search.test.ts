import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTokenSearch, SEARCH_PAGE } from './token-search.ts';
import type { FoundToken } from './token-search.ts';

const aToken = (tokenSymbol: string): FoundToken => ({
  tokenContractAddress: tokenSymbol,
  tokenLogoUrl: '',
  tokenName: tokenSymbol,
  tokenSymbol,
  price: '1',
  change: '0',
  marketCap: '1',
  liquidity: '1',
  holders: 1,
});

function aSearch(search: (keyword: string, signal: AbortSignal) => Promise<FoundToken[]>) {
  const calls: string[] = [];
  const errors: unknown[] = [];
  const box = createTokenSearch({
    search: (keyword, signal) => {
      calls.push(keyword);
      return search(keyword, signal);
    },
    logError: (error) => errors.push(error),
  });
  return { box, calls, errors };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the token search', () => {
  it('asks 300 ms after the last keystroke, once', async () => {
    const { box, calls } = aSearch(async () => [aToken('FWOG')]);
    box.setKeyword('f');
    await vi.advanceTimersByTimeAsync(299);
    box.setKeyword(' fw ');
    expect(box.state().phase).toBe('loading');
    await vi.advanceTimersByTimeAsync(299);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(['fw']);
    expect(box.state()).toEqual({ keyword: ' fw ', phase: 'done', tokens: [aToken('FWOG')] });
    expect(SEARCH_PAGE).toEqual({ pageNo: 1, pageSize: 15 });
  });

  it('lets the newest keyword win, whatever answers last', async () => {
    const answers = new Map<string, (tokens: FoundToken[]) => void>();
    const { box } = aSearch((keyword) => new Promise((resolve) => answers.set(keyword, resolve)));
    box.setKeyword('old');
    await vi.advanceTimersByTimeAsync(300);
    box.setKeyword('new');
    await vi.advanceTimersByTimeAsync(300);
    answers.get('new')?.([aToken('NEW')]);
    answers.get('old')?.([aToken('OLD')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(box.state().tokens).toEqual([aToken('NEW')]);
  });

  it('logs a failure and shows an empty list', async () => {
    const { box, errors } = aSearch(async () => Promise.reject(new Error('down')));
    box.setKeyword('x');
    await vi.advanceTimersByTimeAsync(300);
    expect(box.state()).toEqual({ keyword: 'x', phase: 'done', tokens: [] });
    expect(errors).toHaveLength(1);
  });

  it('is empty again when cleared, and an answer under way changes nothing', async () => {
    const { box, errors } = aSearch(
      (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    box.setKeyword('x');
    await vi.advanceTimersByTimeAsync(300);
    box.clear();
    await vi.advanceTimersByTimeAsync(0);
    expect(box.state()).toEqual({ keyword: '', phase: 'empty', tokens: [] });
    expect(errors).toEqual([]);
  });

  it('does not search for blanks', async () => {
    const { box, calls } = aSearch(async () => []);
    box.setKeyword('   ');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toEqual([]);
    expect(box.state()).toEqual({ keyword: '   ', phase: 'empty', tokens: [] });
  });
});
