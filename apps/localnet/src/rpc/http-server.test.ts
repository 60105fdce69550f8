import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestNode, type TestNode } from './node-for-test.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startTestNode({ manualSlots: true });
});

afterAll(() => node.close());

const HEALTH = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}';

/** Sends text as it is, in the given pieces, and reads until `answers` results have come. */
async function talk(pieces: string[], answers: number): Promise<string> {
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split('"result"').length > answers) resolve();
    });
    socket.on('close', () => resolve());
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  socket.destroy();
  return text;
}

function post(body: string, headers = ''): string {
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('JSON-RPC over HTTP', () => {
  it('answers requests that were sent ahead, in order', async () => {
    const ahead = [1, 2, 3].map((id) => post(`{"jsonrpc":"2.0","id":${id},"method":"getHealth"}`)).join('');
    const text = await talk([ahead], 3);
    expect([...text.matchAll(/"id":(\d)/g)].map((match) => match[1])).toEqual(['1', '2', '3']);
  });

  it('waits for a request that arrives in pieces', async () => {
    const whole = post(HEALTH);
    const text = await talk([whole.slice(0, 10), whole.slice(10, 60), whole.slice(60, 120), whole.slice(120)], 1);
    expect(text).toContain('"result":"ok"');
  });

  it('reads chunked bodies and goes on after them', async () => {
    const chunked = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${HEALTH.length.toString(16)}\r\n${HEALTH}\r\n0\r\n\r\n`;
    const text = await talk([post(HEALTH), chunked, post(HEALTH)], 3);
    expect(text.split('"result":"ok"')).toHaveLength(4);
  });

  it('closes the connection where the client asks for it', async () => {
    const text = await talk([post(HEALTH, 'Connection: close\r\n')], 1);
    expect(text).toContain('"result":"ok"');
  });

  it('answers large batches, browsers that ask first, and the health page', async () => {
    const batch = `[${Array.from({ length: 900 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"getHealth","params":[]${' '.repeat(40)}}`).join(',')}]`;
    const headers = { 'content-type': 'application/json' };
    const answers = (await (await fetch(node.url, { method: 'POST', headers, body: batch })).json()) as unknown[];
    expect(answers).toHaveLength(900);
    expect((await fetch(node.url, { method: 'OPTIONS' })).status).toBe(204);
    expect(await (await fetch(`${node.url}/health`)).text()).toBe('ok');
  });
});
