import { AppError } from '@hunter/contract/app-error';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LeaseLostError } from '../leases.ts';
import { createLog } from '../log.ts';
import { LostAnswerError, NoResponderError, subjectOf, type Bus } from './bus.ts';
import { LocalBus } from './local-bus.ts';
import { NatsServer } from '../../../../../scripts/nats.ts';
import { connectNats } from './nats-bus.ts';

const nats = new NatsServer();
beforeAll(() => nats.start());
afterAll(() => nats.kill());

const failed: unknown[] = [];
const log = Object.assign(createLog('silent'), { error: (facts: unknown) => void failed.push(facts) });
beforeEach(() => void (failed.length = 0));

const kinds: { name: string; pair: () => Promise<[Bus, Bus]> }[] = [
  {
    name: 'inside one process',
    pair: async () => {
      const bus = new LocalBus(log);
      return [bus, bus];
    },
  },
  { name: 'over NATS', pair: async () => [await connect(), await connect()] },
];

function connect(): Promise<Bus> {
  return connectNats(nats.url, log);
}

describe.each(kinds)('the bus $name', ({ pair }) => {
  let here: Bus;
  let there: Bus;
  beforeEach(async () => {
    [here, there] = await pair();
  });
  afterEach(async () => {
    await here.close();
    await there.close();
  });

  async function settle(): Promise<void> {
    await there.flush();
    await here.flush();
  }

  it('delivers a message to everybody who listens to its subject, in order, with bigints and dates', async () => {
    const heard: unknown[] = [];
    there.subscribe('a.b', (message) => heard.push(message));
    here.subscribe('a.b', (message) => heard.push(message));
    there.subscribe('a.c', () => heard.push('another subject'));
    await settle();
    here.publish('a.b', { lamports: 5n, at: new Date(1) });
    here.publish('a.b', 2);
    await expect.poll(() => heard.length).toBe(4);
    expect(heard.filter((message) => message === 2)).toHaveLength(2);
    expect(heard[0]).toEqual({ lamports: 5n, at: new Date(1) });
  });

  it('tells the others, and lets the publisher go on, where a listener throws, and logs what it threw', async () => {
    const heard: unknown[] = [];
    const fault = new Error('a listener failed');
    const fail = () => {
      throw fault;
    };
    there.subscribe('a.b', fail);
    there.subscribe('a.b', (message) => heard.push(message));
    there.subscribe('a.>', fail);
    there.subscribe('a.>', (message) => heard.push(message));
    await settle();
    here.publish('a.b', 1);
    here.publish('a.b', 2);
    await expect.poll(() => heard.filter((message) => message === 2)).toHaveLength(2);
    expect(heard).toHaveLength(4);
    await expect.poll(() => failed).toHaveLength(4);
    expect(failed).toContainEqual({ subject: 'a.b', err: fault });
  });

  it('delivers all subjects with one opening to whoever asks for it', async () => {
    const heard: string[] = [];
    there.subscribe('live.>', (_, subject) => heard.push(subject));
    await settle();
    here.publish('live.price.mint', 1);
    here.publish('other', 1);
    here.publish('live.hot.all', 1);
    await expect.poll(() => heard).toEqual(['live.price.mint', 'live.hot.all']);
  });

  it('delivers nothing after a listener has left', async () => {
    const heard: unknown[] = [];
    const leave = there.subscribe('a', () => heard.push('left'));
    there.subscribe('a', (message) => heard.push(message));
    leave();
    await settle();
    here.publish('a', 1);
    await expect.poll(() => heard).toEqual([1]);
  });

  it('lets one of several carry out a request and brings its answer', async () => {
    let calls = 0;
    const handler = async (message: unknown) => {
      calls += 1;
      return [message, calls];
    };
    there.respond('add', handler);
    here.respond('add', handler);
    await settle();
    expect(await here.request('add', 7n, 20_000)).toEqual([7n, 1]);
  });

  it('brings back the refusal of whoever carried out a request', async () => {
    there.respond('refuse', async () => {
      throw new AppError('CODE_TOO_SOON', { retryAfterSeconds: 7 });
    });
    await settle();
    const refused = here.request('refuse', null, 20_000);
    await expect(refused).rejects.toMatchObject({ errorName: 'CODE_TOO_SOON', context: { retryAfterSeconds: 7 } });
  });

  it('says that nobody got a request that nobody answers', async () => {
    await expect(here.request('nobody', null, 20_000)).rejects.toBeInstanceOf(NoResponderError);
  });

  it('makes a subject of any text', async () => {
    const heard: unknown[] = [];
    const subject = subjectOf('live', 'price', 'a key. with > and *');
    there.subscribe(subject, (message) => heard.push(message));
    await settle();
    here.publish(subject, 1);
    await expect.poll(() => heard).toEqual([1]);
    expect(subjectOf('live', 'candles', 'Mint:1m')).toBe('live.candles.Mint:1m');
  });
});

describe('the bus over NATS', () => {
  it('says that an answer was lost where somebody may have carried out the request', async () => {
    const [here, there] = [await connect(), await connect()];
    there.respond('slow', () => new Promise(() => {}));
    await expect
      .poll(() => here.request('slow', null, 200).catch((error: unknown) => error))
      .toBeInstanceOf(LostAnswerError);
    await here.close();
    await there.close();
  });

  it('treats as lost the answer of one that could not reach the database or has lost its lease', async () => {
    const [here, there] = [await connect(), await connect()];
    const failures = [
      Object.assign(new Error('terminating connection'), { code: '57P01' }),
      new LeaseLostError({ name: 'lane-1', owner: 'here', epoch: 1n }),
      new Error('a defect'),
    ];
    there.respond('work', () => Promise.reject(failures.shift()!));
    await there.flush();
    await expect(here.request('work', {}, 20_000)).rejects.toThrow(LostAnswerError);
    await expect(here.request('work', {}, 20_000)).rejects.toThrow(LostAnswerError);
    await expect(here.request('work', {}, 20_000)).rejects.toThrow('a defect');
    await here.close();
    await there.close();
  });

  it('connects with the credentials of its address, and never unencrypted to one that begins with tls', async () => {
    for (const [options, credentials] of [
      [['--user', 'hunter', '--pass', 'a/b@c'], `hunter:${encodeURIComponent('a/b@c')}`],
      [['--auth', 'a-token'], 'a-token'],
    ] as const) {
      const own = new NatsServer(...options);
      await own.start();
      const { host } = new URL(own.url);
      const bus = await connectNats(`nats://${credentials}@${host}`, createLog('silent'));
      await bus.flush();
      await bus.close();
      await expect(connectNats(`nats://hunter:wrong@${host}`, createLog('silent'))).rejects.toThrow('Authorization');
      await expect(connectNats(`tls://${credentials}@${host}`, createLog('silent'))).rejects.toThrow("support 'tls'");
      await own.kill();
    }
  });

  it('answers UNAVAILABLE where a newer program refused for a reason that this one does not know', async () => {
    const [here, there] = [await connect(), await connect()];
    const refusal = Object.defineProperties(new AppError('NOT_FOUND'), {
      errorName: { value: 'OF_A_LATER_VERSION' },
      code: { value: 9_999 },
    });
    there.respond('work', () => Promise.reject(refusal));
    await there.flush();
    await expect(here.request('work', {}, 20_000)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
    await here.close();
    await there.close();
  });

  it('tells of a gap when the server comes back, and delivers again', async () => {
    const own = new NatsServer();
    await own.start();
    const bus = await connectNats(own.url, createLog('silent'));
    let gaps = 0;
    const heard: unknown[] = [];
    bus.onGap(() => (gaps += 1));
    bus.subscribe('a', (message) => heard.push(message));
    await own.kill();
    await expect.poll(() => bus.isConnected()).toBe(false);
    bus.publish('a', 'lost');
    await expect(bus.request('a', null, 20_000)).rejects.toBeInstanceOf(NoResponderError);
    await own.start();
    await expect.poll(() => gaps).toBe(1);
    bus.publish('a', 'heard');
    await expect.poll(() => heard).toEqual(['heard']);
    await bus.close();
    await own.kill();
  });
});
