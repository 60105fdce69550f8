import { expect, it } from 'vitest';
import proveKill from './localnet-kill.proof.ts';

it('loses and doubles nothing when the localnet is killed under load', async () => {
  const figures = await proveKill(['4']);
  expect(figures['acknowledged']).toBeGreaterThan(0);
  expect(figures).toMatchObject({ kills: 4, lost: 0, appliedTwice: 0 });
});
