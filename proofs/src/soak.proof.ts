/**
 * People use the whole product while its parts are killed at random; afterwards books equal the chain and nothing is lost,
 * doubled or unexplained. Takes minutes (20), seed (1) and users (200).
 */
import type { Figures } from '../../scripts/run-named.ts';
import { soak } from './soak/soak.ts';

export default async function proveSoak([
  minutes = '20',
  seed = '1',
  users = '200',
]: readonly string[]): Promise<Figures> {
  return soak({
    minutes: Number(minutes),
    seed: Number(seed),
    users: Number(users),
    disturbEveryMs: 15_000,
    isWhole: false,
    say: (line) => process.stderr.write(`${line}\n`),
  });
}
