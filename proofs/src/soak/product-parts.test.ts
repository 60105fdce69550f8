import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryMbOf } from './product-parts.ts';

it('measures the memory of those parts that run, and leaves out one that has just been killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-parts-'));
  // A shell that never waits for its child keeps it as a process without memory.
  const shell = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    const children = [
      { name: 'here', pid: process.pid },
      { name: 'killed', pid: Number(line.toString('utf8')) },
    ];
    writeFileSync(join(folder, 'children.json'), JSON.stringify(children));
    await expect.poll(() => Object.keys(memoryMbOf(folder, ['here', 'killed']))).toEqual(['here']);
    expect(memoryMbOf(folder, ['here', 'killed'])['here']).toBeGreaterThan(1);
  } finally {
    shell.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
