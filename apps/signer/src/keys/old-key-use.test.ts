import { expect, it } from 'vitest';
import { OldKeyUse } from './old-key-use.ts';

const NOW = 1_700_000_000_000;
const MINUTE_MS = 60_000;

it('knows a key in use until its wallets are moved, and not by what was under way meanwhile', () => {
  const use = new OldKeyUse();
  use.signed('wallet-1', 'old', NOW);
  expect(use.has('old', NOW)).toBe(true);
  expect(use.has('other', NOW)).toBe(false);
  use.moved('wallet-1', NOW + 1_000);
  use.signed('wallet-1', 'old', NOW + 2_000);
  expect(use.has('old', NOW + 2_000)).toBe(false);
  // Moved, but whoever asked never stored it.
  use.signed('wallet-1', 'old', NOW + 2 * MINUTE_MS);
  expect(use.has('old', NOW + 2 * MINUTE_MS)).toBe(true);
  expect(use.has('old', NOW + 62 * MINUTE_MS)).toBe(false);
});
