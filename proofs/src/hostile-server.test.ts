import { expect, it } from 'vitest';
import proveHostileServer from './hostile-server.proof.ts';

it('denies what a hostile server asks for and signs what stands between', async () => {
  const figures = await proveHostileServer(['300']);
  expect(figures).toMatchObject({
    hostile: 300,
    honest: 60,
    signedHostile: [],
    deniedHonest: [],
    keysShown: 0,
    ok: true,
  });
});
