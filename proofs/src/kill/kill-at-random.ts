import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** `start` resolves once the victim says that it is ready again. */
export type Victim = { kill(): Promise<unknown>; start(): Promise<unknown> };

export type Killing = {
  readonly kills: number;
  /** How long each life lasts: chosen at random between the two. */
  readonly lifeMs: readonly [number, number];
  /** Resolves once the victim is at work, where its life is to be counted from there. */
  atWork?(round: number): Promise<unknown>;
  /** What goes on while it lives and dies; must end by itself once it is dead. */
  load?(round: number): Promise<unknown>;
  dead?(round: number): Promise<unknown>;
  restarted?(round: number): Promise<unknown>;
};

/** Kills a victim that runs and starts it again, as often as told; answers how long each start took. */
export async function killAtRandom(victim: Victim, killing: Killing): Promise<{ startMs: number[] }> {
  const startMs: number[] = [];
  for (let round = 0; round < killing.kills; round += 1) {
    await killing.atWork?.(round);
    const load = killing.load?.(round);
    await delay(randomInt(...killing.lifeMs));
    await victim.kill();
    await load;
    await killing.dead?.(round);
    const startedMs = performance.now();
    await victim.start();
    startMs.push(performance.now() - startedMs);
    process.stderr.write(
      `kill ${round + 1} of ${killing.kills}: ready again after ${Math.round(startMs.at(-1)!)} ms\n`,
    );
    await killing.restarted?.(round);
  }
  return { startMs };
}

export function median(values: readonly number[]): number {
  return Math.round(values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0);
}
