import { AppError } from '@hunter/contract/app-error';
import { expect, it } from 'vitest';
import type { Caller, Handlers } from '../http/handlers.ts';
import { LostAnswerError, NoResponderError } from '../platform/bus/bus.ts';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { systemClock } from '../platform/clock.ts';
import type { Sql } from '../platform/postgres.ts';
import { laneShard } from '../strategies/strategy-lanes.ts';
import { askEngines, CommandResponder } from './commands.ts';

const strategyId = '0000000a-0000-4000-8000-000000000000';
const caller = { idempotencyKey: 'key' } as Caller;
const sql = { query: async () => [{ id: strategyId }] } as unknown as Sql;
type AnyHandler = (request: object, caller: Caller) => Promise<unknown>;

/** A clock that does not wait. */
let nowMs = 0;
const clock = {
  ...systemClock,
  nowMs: () => nowMs,
  pause: async (ms: number) => void (nowMs += ms),
};

function anEngine(bus: LocalBus, name: string, refusal?: AppError) {
  const done: string[] = [];
  const handlers = new Proxy({} as Handlers, {
    get: (_, call) => async (request: unknown, from: Caller) => {
      if (refusal) throw refusal;
      done.push(`${String(call)} ${from.idempotencyKey}`);
      return { by: name, request };
    },
  });
  const responder = new CommandResponder(bus, handlers);
  responder.start();
  return { responder, done };
}

function anApi(bus: LocalBus): Record<string, AnyHandler> {
  return askEngines({} as Handlers, { bus, sql, clock }) as unknown as Record<string, AnyHandler>;
}

it('has calls of a strategy carried out by the engine of its lane, and by any while it has none', async () => {
  const bus = new LocalBus();
  const [left, right] = [anEngine(bus, 'left'), anEngine(bus, 'right')];
  const api = anApi(bus);
  right.responder.laneChanged(laneShard(strategyId), true);
  const request = { slug: 's' };
  for (let time = 0; time < 3; time += 1) {
    expect(await api['rebalance']!(request, caller)).toEqual({ by: 'right', request });
  }
  await right.responder.stop();
  expect(await api['rebalance']!(request, caller)).toMatchObject({ by: 'left' });
  expect(left.done).toEqual(['rebalance key']);
});

it('has triggers changed by their one owner only, and says that nobody is there', async () => {
  const bus = new LocalBus();
  const { responder } = anEngine(bus, 'owner');
  const api = anApi(bus);
  await expect(api['placeTrigger']!({}, caller)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  responder.hasTriggers();
  expect(await api['placeTrigger']!({}, caller)).toMatchObject({ by: 'owner' });
});

it('asks again under the same key where an answer was lost, and passes refusals on', async () => {
  const bus = new LocalBus();
  const { done } = anEngine(bus, 'engine');
  let losses = 1;
  const request = bus.request.bind(bus);
  bus.request = async (subject: string, message: unknown) => {
    const answer = await request(subject, message);
    if (losses === 0) return answer;
    losses -= 1;
    throw new LostAnswerError(subject);
  };
  const api = anApi(bus);
  expect(await api['tokenTransfer']!({}, caller)).toMatchObject({ by: 'engine' });
  expect(done).toEqual(['tokenTransfer key', 'tokenTransfer key']);
  losses = 5;
  await expect(api['tokenTransfer']!({}, caller)).rejects.toBeInstanceOf(LostAnswerError);
  const refusing = new LocalBus();
  anEngine(refusing, 'engine', new AppError('NOTHING_TO_SELL'));
  await expect(anApi(refusing)['tokenClose']!({}, caller)).rejects.toMatchObject({ errorName: 'NOTHING_TO_SELL' });
});

it.each(['nobody', 'unavailable'])(
  'does not take a lost answer for a refusal where the next try finds %s',
  async (found) => {
    const bus = new LocalBus();
    let tries = 0;
    bus.request = async (subject: string) => {
      tries += 1;
      if (tries === 1) throw new LostAnswerError(subject);
      throw found === 'nobody' ? new NoResponderError(subject) : new AppError('UNAVAILABLE');
    };
    await expect(anApi(bus)['tokenTransfer']!({}, caller)).rejects.toBeInstanceOf(LostAnswerError);
  },
);

it('refuses a call that only a newer program has', async () => {
  const bus = new LocalBus();
  new CommandResponder(bus, {} as Handlers).start();
  await expect(anApi(bus)['withdrawal']!({}, caller)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
});

it('finishes the commands under way before an engine has stopped', async () => {
  const bus = new LocalBus();
  const { promise, resolve } = Promise.withResolvers<object>();
  const begun = Promise.withResolvers<void>();
  const withdrawal = (): Promise<object> => {
    begun.resolve();
    return promise;
  };
  const responder = new CommandResponder(bus, { withdrawal } as unknown as Handlers);
  responder.start();
  const answer = anApi(bus)['withdrawal']!({}, caller);
  await begun.promise;
  let isStopped = false;
  const stopped = responder.stop().then(() => (isStopped = true));
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  resolve({ done: true });
  expect(await answer).toEqual({ done: true });
  await stopped;
});
