// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, it, vi } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { noFilter } from './discover-search.ts';
import FilterDialog from './filter-dialog.tsx';

type Props = ComponentProps<typeof FilterDialog>;

async function showFilter(props: Partial<Props>, language: 'en' | 'zh' = 'en'): Promise<void> {
  const nothing = () => {};
  const usual: Props = {
    filter: noFilter,
    saved: [],
    onApply: nothing,
    onSave: nothing,
    onForget: nothing,
    onClose: nothing,
  };
  await show(<FilterDialog {...usual} {...props} />, { language });
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });

it('saves no filter that filters nothing', async () => {
  const onSave = vi.fn();
  await showFilter({ onSave });
  const save = screen.getByRole('button', { name: 'Save filter' });
  type('Save as', 'Empty');
  expect(save).toHaveProperty('disabled', true);
  type('Holders, minimum', '100');
  fireEvent.click(save);
  expect(onSave).toHaveBeenCalledWith(
    'Empty',
    expect.objectContaining({ ranges: { holders: { min: '100', max: '' } } }),
  );
});

it('applies no filter whose maximum is below its minimum', async () => {
  const onApply = vi.fn();
  await showFilter({ onApply });
  type('Top 10, minimum', '40');
  type('Top 10, maximum', '35');
  const apply = screen.getByRole('button', { name: 'Apply filter' });
  expect(apply).toHaveProperty('disabled', true);
  expect(screen.getByRole('alert').textContent).toBe('The maximum is below the minimum');
  type('Top 10, minimum', '5.');
  type('Name contains', 'cat');
  fireEvent.click(apply);
  expect(onApply).toHaveBeenCalledWith({ ranges: { top10: { min: '5', max: '35' } }, include: 'cat', exclude: '' });
});

it('reads the bounds of a filter as traders type them, and shows how', async () => {
  const onApply = vi.fn();
  await showFilter({ onApply });
  type('Market cap, minimum', '$10k');
  type('Market cap, maximum', '1.5m');
  type('Age, maximum', '2h');
  fireEvent.blur(field('Market cap, minimum'));
  expect(field('Market cap, minimum').value).toBe('10000');
  fireEvent.click(screen.getByRole('button', { name: 'Apply filter' }));
  expect(onApply).toHaveBeenCalledWith({
    ...noFilter,
    ranges: { marketCap: { min: '10000', max: '1500000' }, age: { min: '', max: '120' } },
  });
});

it.each([
  ['en', 'Holders, minimum', 'Apply filter', 'Whole numbers only', 'Enter a number, e.g. 500, 10k or 1.5m'],
  ['zh', '持有人下限', '应用筛选', '仅限整数', '请输入数字，例如 500、10k 或 1.5m'],
] as const)(
  'says at a bound what is wrong with it, and applies none (%s)',
  async (language, name, button, ...texts) => {
    await showFilter({}, language);
    const bound = field(name);
    for (const [index, typed] of ['1.5', '5 SOL'].entries()) {
      type(name, typed);
      fireEvent.blur(bound);
      expect([bound.value, bound.getAttribute('aria-invalid')]).toEqual([typed, 'true']);
      expect(screen.getByRole('alert').textContent).toBe(texts[index]);
      expect(bound.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
      expect(screen.getByRole('button', { name: button })).toHaveProperty('disabled', true);
    }
  },
);

it.each([
  ['en', 'Name contains', 'Apply filter', 'At most 10 words'],
  ['zh', '名称包含', '应用筛选', '最多 10 个词'],
] as const)(
  'says how many words a filter may have, and applies none with more (%s)',
  async (language, name, button, text) => {
    await showFilter({ filter: { ...noFilter, include: 'a,b,c,d,e,f,g,h,i,j,J' } }, language);
    const apply = screen.getByRole('button', { name: button });
    expect(apply).toHaveProperty('disabled', false);
    type(name, 'a,b,c,d,e,f,g,h,i,j，k');
    expect(screen.getByRole('alert').textContent).toBe(text);
    expect(apply).toHaveProperty('disabled', true);
  },
);
