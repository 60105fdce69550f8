import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { withoutNetwork } from './no-network.ts';

const connects = `
  import { connect } from 'node:net';
  console.log(process.pid);
  connect(Number(process.argv[1]), '127.0.0.1').on('error', (e) => console.log(e.code)).on('connect', () => {
    console.log('CONNECTED');
    process.exit(0);
  });
`;

describe('withoutNetwork', () => {
  it('has a way on Linux where namespaces are allowed, and none elsewhere', () => {
    expect(withoutNetwork(null, 'darwin')).toBeNull();
    expect(withoutNetwork(null, 'linux')?.[0] ?? 'unshare').toBe('unshare');
  });

  it('leaves the process nothing to connect to and its process id as it was', async () => {
    const way = withoutNetwork();
    // Where the system allows no namespaces there is no way, and the launcher says so.
    if (way === null) return;
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const [program, ...args] = way;
    const command = [process.execPath, '--input-type=module', '-e', connects, String(port)];
    const ran = spawnSync(program!, [...args, ...command], { encoding: 'utf8' });
    server.close();
    const [pid, outcome] = ran.stdout.trim().split('\n');
    expect(Number(pid)).toBe(ran.pid);
    expect(outcome).toMatch(/^(ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL)$/);
  });
});
