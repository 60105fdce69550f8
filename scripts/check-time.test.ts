import { expect, it } from 'vitest';
import { linesAskingForTime } from './check-time.ts';

const FILE = 'apps/server/src/market/reads/hot-list.ts';

it.each([
  'const now = Date.now();',
  'const at = new Date();',
  'const started = performance.now();',
  'setTimeout(resolve, 50);',
  'const timer = setInterval(tick, 1000);',
  'const started = process.hrtime.bigint();',
  "import { setTimeout as delay } from 'node:timers/promises';",
])('finds %s', (line) => {
  expect(linesAskingForTime(FILE, `const a = 1;\n${line}\n`)).toEqual([2]);
});

it('lets a date be made from a given time, and comments name what they like', () => {
  const source = '// Date.now() is not asked here.\nconst at = new Date(clock.nowMs());\nclearTimeout(timer);\n';
  expect(linesAskingForTime(FILE, source)).toEqual([]);
});

it('says nothing about the clock itself, tests and what is not the server', () => {
  for (const file of [
    'apps/server/src/platform/clock.ts',
    'apps/server/src/market/reads/hot-list.test.ts',
    'apps/server/src/trading/world-for-test.ts',
    'apps/localnet/src/chain/slot-clock.ts',
  ]) {
    expect(linesAskingForTime(file, 'const now = Date.now();')).toEqual([]);
  }
});
