import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { AppError } from '@hunter/contract/app-error';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock as clock } from './clock.ts';
import { createLog } from './log.ts';
import { OtlpTracer } from './tracer.ts';
import { traced, useTracer } from './traces.ts';

type Sent = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue: string } }[];
  status: { code?: number };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
};

const TRACE = 'f'.repeat(31) + '0';
let collector: Server;
let bodies: { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }[];
let status: number;

beforeEach(async () => {
  bodies = [];
  status = 200;
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push(body as never);
      response.writeHead(status).end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterEach(() => {
  useTracer(null);
  collector.close();
});

function aTracer(percent = 100): OtlpTracer {
  const { port } = collector.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/traces`;
  return new OtlpTracer({ url, percent, roles: ['api'], clock, log: createLog('silent') });
}

const spans = (): Sent[] => bodies.flatMap(({ resourceSpans }) => resourceSpans[0]!.scopeSpans[0]!.spans);
const attributesOf = (span: Sent) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue]));

it('sends one trace of a call that an engine in another process carries out and the signer signs', async () => {
  const [api, engine] = [aTracer(), aTracer()];
  await api.run(
    'call',
    { call: 'tokenTransfer' },
    async () => {
      // What travels with the command.
      const parent = api.context()!;
      await engine.run(
        'command',
        { call: 'tokenTransfer' },
        async () => engine.ended('signer', { method: 'sign' }, 3),
        parent,
      );
    },
    { traceId: TRACE },
  );
  await api.send();
  await engine.send();
  const [call, signer, command] = spans();
  expect([call!.name, signer!.name, command!.name]).toEqual(['call', 'signer', 'command']);
  expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  expect([call!.parentSpanId, command!.parentSpanId, signer!.parentSpanId]).toEqual([
    undefined,
    call!.spanId,
    command!.spanId,
  ]);
  expect(attributesOf(signer!)).toEqual({ 'hunter.method': 'sign' });
  expect(BigInt(signer!.endTimeUnixNano) - BigInt(signer!.startTimeUnixNano)).toBe(3_000_000n);
});

it('says by its name why a call failed, and nothing of its context', async () => {
  const tracer = aTracer();
  const failing = (error: Error) => tracer.run('call', { call: 'login' }, () => Promise.reject(error)).catch(() => {});
  await failing(new AppError('CODE_TOO_SOON', { retryAfterSeconds: 7 }));
  await failing(new Error('password of somebody@example.com'));
  await tracer.send();
  expect(spans().map(attributesOf)).toEqual([
    { 'hunter.call': 'login', 'hunter.failure': 'CODE_TOO_SOON' },
    { 'hunter.call': 'login', 'hunter.failure': 'INTERNAL' },
  ]);
  expect(spans().map((span) => span.status.code)).toEqual([2, 2]);
  expect(JSON.stringify(bodies)).not.toContain('somebody');
});

it('sends no attribute that is not on the list, and no value that is not a short word', async () => {
  const tracer = aTracer();
  const attributes = { call: 'x'.repeat(65), method: 'a\nb', email: 'somebody' } as never;
  await tracer.run('call', attributes, async () => {});
  await tracer.send();
  expect(spans().map(attributesOf)).toEqual([{}]);
});

it('keeps the same traces in every process, as many as it is told', async () => {
  const [one, other] = [aTracer(30), aTracer(30)];
  let kept = 0;
  for (let number = 0; number < 200; number += 1) {
    const traceId = (BigInt(number) * 0x9e3779b97f4a7c15n).toString(16).padStart(32, '0').slice(-32);
    const has = async (tracer: OtlpTracer) =>
      tracer.run('call', {}, async () => tracer.context() !== undefined, { traceId });
    const isKept = await has(one);
    expect(await has(other)).toBe(isKept);
    if (isKept) kept += 1;
  }
  expect(kept).toBeGreaterThan(30);
  expect(kept).toBeLessThan(90);
});

it('fails without a loss of anything but spans where the collector refuses', async () => {
  const tracer = aTracer();
  useTracer(tracer);
  expect(await traced('call', { call: 'x' }, async () => 7)).toBe(7);
  status = 503;
  await expect(tracer.send()).rejects.toThrow('answered 503');
  expect(await traced('call', { call: 'x' }, async () => 8)).toBe(8);
});
