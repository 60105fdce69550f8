// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useOrderDraft } from './use-order-draft.ts';

it('forgets the amount of what was traded, also while the sheet is closed, and keeps that of the other side', () => {
  const { result } = renderHook(() => useOrderDraft());
  act(() => result.current.panel.onAmounts(() => ({ buy: '0.5', sell: '3' })));
  act(() => result.current.close());
  act(() => result.current.clear('buy'));
  expect(result.current.panel.amounts).toEqual({ buy: '', sell: '3' });
});
