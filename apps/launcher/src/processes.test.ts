import { expect, it } from 'vitest';
import { parseProcesses } from './processes.ts';

const freePort = async () => 23_456;
const nats = { NATS_URL: 'nats://127.0.0.1:4222' };

it('runs one server process that does everything where nothing is asked for', async () => {
  expect(await parseProcesses([], {}, freePort)).toEqual([{ name: 'server', environment: {} }]);
});

it('runs as many processes of each role as asked for, and one of the others', async () => {
  const processes = await parseProcesses(['--api', '2', '--engines', '2'], { ...nats, OPS_PORT: '9100' }, freePort);
  expect(processes.map(({ name }) => name)).toEqual([
    'api-1',
    'api-2',
    'stream',
    'engine-1',
    'engine-2',
    'indexer',
    'jobs',
  ]);
  expect(processes[1]!.environment).toEqual({ ROLE: 'api', STREAM_URL: 'http://127.0.0.1:23456', OPS_PORT: '9101' });
  expect(processes[2]!.environment).toMatchObject({ ROLE: 'stream', PORT: '23456' });
});

it.each([
  [['--api', '2'], {}, 'NATS_URL is missing'],
  [['--api', '0'], nats, '--api must be a number of processes'],
  [['--web', '2'], nats, '--web'],
])('refuses %j with a line that says why', async (args, environment, line) => {
  await expect(async () => parseProcesses(args, environment, freePort)).rejects.toThrow(line);
});
