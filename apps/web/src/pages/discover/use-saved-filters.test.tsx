// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { noFilter } from '../../features/discover/discover-search.ts';
import { withSaved } from '../../features/discover/presets.ts';
import { show } from '../../show-for-test.tsx';
import { useSavedFilters } from './use-saved-filters.ts';

it('forgets a filter in the account that was saved in the same visit', async () => {
  await show(null, { replies: { getMySavedItems: { lists: [] } } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { result } = renderHook(() => useSavedFilters());
  const save = (next: Parameters<(typeof result.current)[1]>[0]) => {
    act(() => result.current[1](next));
    vi.runAllTimers();
  };
  save(withSaved(result.current[0], 'cats', { ...noFilter, include: 'cat' }));
  save(result.current[0].filter(({ name }) => name !== 'cats'));
  vi.useRealTimers();
  const sent = vi
    .mocked(fetch)
    .mock.calls.filter(([url]) => (url as string).includes('saveMyItem'))
    .map(([, init]) => JSON.parse(init!.body as string) as { key: string; value: string | null });
  expect(sent.map(({ key, value }) => [key, value === null])).toEqual([
    ['cats', false],
    ['cats', true],
  ]);
});
