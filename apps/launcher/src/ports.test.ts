import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfiguration } from './configuration.ts';
import { freePort, freePortPair } from './free-port.ts';
import { choosePorts } from './ports.ts';

const servers: Server[] = [];
async function occupy(port: number): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

const configured = (environment: Record<string, string>) => parseConfiguration(environment, '/srv');

describe('choosePorts', () => {
  it('refuses a web port that is taken, naming it', async () => {
    const port = await freePort();
    await occupy(port);
    await expect(choosePorts(configured({ PORT: String(port) }))).rejects.toThrow(`PORT ${port} is already in use`);
  });

  it.each(['203.0.113.1', 'nonsense.invalid'])(
    'refuses a HOST where nothing can listen, naming it: %s',
    async (host) => {
      await expect(choosePorts(configured({ PORT: String(await freePort()), HOST: host }))).rejects.toThrow(
        `HOST ${host} is no address to listen on (`,
      );
    },
  );

  it('refuses a chain port set by hand when its WebSocket port is taken', async () => {
    const port = await freePortPair();
    await occupy(port + 1);
    const web = await freePort();
    await expect(choosePorts(configured({ PORT: String(web), LOCALNET_PORT: String(port) }))).rejects.toThrow(
      `LOCALNET_PORT ${port} needs ports ${port} and ${port + 1}, but ${port + 1} is already in use`,
    );
  });

  it('takes the ports of the last run again where they are free, and others where not', async () => {
    const web = await freePort();
    const venue = await freePort();
    expect((await choosePorts(configured({ PORT: String(web) }), { venue })).venue).toBe(venue);
    await occupy(venue);
    expect((await choosePorts(configured({ PORT: String(web) }), { venue })).venue).not.toBe(venue);
  });

  it('never gives two parts the same port', async () => {
    const { web, rpc, venue } = await choosePorts(configured({ PORT: String(await freePort()) }));
    expect(new Set([web, rpc, rpc + 1, venue]).size).toBe(4);
  });
});
