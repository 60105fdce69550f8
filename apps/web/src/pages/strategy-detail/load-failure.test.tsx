// @vitest-environment happy-dom
import { errorCatalogue } from '@hunter/contract/error-catalogue';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiFailure, loadRefusals } from '../../data/api-failure.ts';
import { show } from '../../show-for-test.tsx';
import { LoadFailure } from './load-failure.tsx';

const { code } = errorCatalogue.STRATEGY_NOT_FOUND;

it.each([
  [new ApiFailure({ kind: 'envelope', code, msg: '', data: null }), 'No strategy found!'],
  [new ApiFailure({ kind: 'no-response' }), 'Couldn’t load the strategy'],
])('says in the heading of the page why no strategy is shown', async (error, heading) => {
  await loadRefusals();
  await show(<LoadFailure error={error} onRetry={() => {}} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  expect(screen.queryByText('No data')).toBeNull();
});
