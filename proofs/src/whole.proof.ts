/**
 * Everything at once: roles as processes of their own with NATS between them, people who trade, follow, set triggers and withdraw with
 * passkeys, a creator, a thief, a hostile server and a stranger at work, and kills and pauses over all parts. Afterwards nothing is
 * lost, doubled or unexplained, no attacker got anything, `verify --all` and `reserves` agree. Takes minutes (30), users (300) and
 * seed (1); run it in the background, with its output in a file.
 */
import type { Figures } from '../../scripts/run-named.ts';
import { soak } from './soak/soak.ts';

export default async function proveWhole([
  minutes = '30',
  users = '300',
  seed = '1',
]: readonly string[]): Promise<Figures> {
  return soak({
    minutes: Number(minutes),
    seed: Number(seed),
    users: Number(users),
    disturbEveryMs: 4_000,
    isWhole: true,
    say: (line) => process.stderr.write(`${line}\n`),
  });
}
