import { root } from '../../../scripts/bootstrap.mjs';
import type { Fault } from './fault.ts';
import { TreeCopy } from './tree-copy.ts';

export type Planted = { readonly fault: Fault; readonly verdict: 'noticed' | 'survived' | 'broken' };

/**
 * Plants one fault after the other and runs the test it names. `broken` means that the proof itself does not work: the test fails
 * without any fault, or does not run with this one.
 */
export async function plantFaults(
  faults: readonly Fault[],
  { copies = 2, say = (_line: string): void => {} } = {},
): Promise<Planted[]> {
  const trees = Array.from({ length: Math.min(copies, faults.length) }, () => new TreeCopy(root));
  try {
    const sound = await trees[0]!.outcomes(faults);
    const waiting = [...faults.keys()];
    const planted: Planted[] = [];
    const work = async (tree: TreeCopy): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const fault = faults[index]!;
        const [outcome] = sound[index] === 'passed' ? await tree.with(fault, () => tree.outcomes([fault])) : ['absent'];
        const verdict = outcome === 'failed' ? 'noticed' : outcome === 'passed' ? 'survived' : 'broken';
        planted[index] = { fault, verdict };
        say(`${verdict.padEnd(9)} ${fault.file}: ${fault.replace.trim()}  |  ${fault.title}`);
      }
    };
    await Promise.all(trees.map(work));
    return planted;
  } finally {
    for (const tree of trees) tree.remove();
  }
}
