// @vitest-environment happy-dom
import { errorCatalogue } from '@hunter/contract/error-catalogue';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiFailure, loadRefusals } from '../../data/api-failure.ts';
import { show } from '../../show-for-test.tsx';
import { TokenFailure } from './token-failure.tsx';

const { code } = errorCatalogue.TOKEN_UNKNOWN;

it.each([
  [new ApiFailure({ kind: 'envelope', code, msg: '', data: null }), 'No tokens found'],
  [new ApiFailure({ kind: 'no-response' }), 'Failed to get token info'],
])('says in the heading of the page why no token is shown', async (error, heading) => {
  await loadRefusals();
  document.title = 'another token';
  await show(<TokenFailure error={error} onRetry={() => {}} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading);
  await expect.poll(() => document.title).toBe('Token · Hunter');
});
