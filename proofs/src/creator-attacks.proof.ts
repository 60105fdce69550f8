/**
 * Creators who want their followers' money, played against the rules that decide and share out rounds: gains and losses against
 * the same market without the attack. The same run has honest creators, so that protection is not bought with copies.
 */
import type { Figures } from '../../scripts/run-named.ts';
import { FULL, playAll, tableOf } from './creator-attacks/play-all.ts';

export default async function proveCreatorAttacks(): Promise<Figures> {
  const startedMs = performance.now();
  const played = await playAll(FULL);
  process.stdout.write(`${tableOf(played)}\n`);
  const above = played.money.filter(({ isKept }) => !isKept);
  const forged = played.record.filter(({ gained }) => gained > 0);
  return {
    attacks: played.money.length + played.record.length + 3,
    above: above.map(({ name, gainLamports }) => ({ name, gainLamports })),
    forged: forged.map(({ name }) => name),
    firstRankSol: Number(played.firstRank.sol.toFixed(2)),
    copiedNames: played.copiedNames,
    ordersBeforeAnExit: played.ordersBeforeAnExit,
    honest: played.honest,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    ok:
      above.length + forged.length + played.copiedNames === 0 &&
      played.firstRank.sol > 10 &&
      played.ordersBeforeAnExit <= 1 &&
      played.honest.takingPart >= 0.9 &&
      played.honest.ofWantedSol >= 0.8,
  };
}
