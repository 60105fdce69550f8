import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { postgresService } from './postgres-service.ts';

it('comes back where the others look for it, also where its port has to be waited for', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'hunter-postgres-service-'));
  chmodSync(parent, 0o755);
  const logFile = join(parent, 'postgres.log');
  const service = postgresService({ folder: join(parent, 'postgres'), logFile });
  const { signal } = new AbortController();
  const stranger = createServer();
  try {
    const first = await service.start({ signal, facts: new Map() });
    await first.stop();
    const port = Number(new URL(String(first.facts['url'])).port);
    await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve));
    const again = service.start({ signal, facts: new Map([['postgres', first.facts]]) });
    const log = () => readFileSync(logFile, 'utf8');
    const came = await Promise.race([again.then(() => 'back'), expect.poll(log).toContain('could not bind')]);
    expect(came).not.toBe('back');
    await new Promise((resolve) => stranger.close(resolve));
    const second = await again;
    expect(second.facts).toEqual(first.facts);
    await second.stop();
  } finally {
    stranger.close();
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
  }
});
