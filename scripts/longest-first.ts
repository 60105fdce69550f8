import { BaseSequencer } from 'vitest/node';

type Files = Parameters<BaseSequencer['sort']>[0];

/**
 * Files that start processes first, then those on a database, then the rest: the first two mostly wait, and would
 * otherwise keep the run going alone at its end. A fresh clone has no record of how long each takes.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: Files): Promise<Files> {
    const sorted = await super.sort(files);
    return [...sorted].sort((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

function rank(path: string): number {
  if (/\/(?:proofs|ops|apps\/launcher)\//.test(path)) return 0;
  return path.endsWith('.db.test.ts') ? 1 : 2;
}
