import { describe, expect, it } from 'vitest';
import { bodyLength } from './fast-http.ts';

function head(...lines: string[]): string {
  return [
    'POST / HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    'content-length: 42',
    ...lines,
    '',
  ].join('\r\n');
}

describe('the short way for ordinary requests', () => {
  it.each([
    ['without a word about the connection', head()],
    ['that asks to keep the connection', head('connection: keep-alive')],
    ['that spells it as browsers do', head('Connection: Keep-Alive')],
    ['that leaves out the blank', head('connection:keep-alive')],
  ])('takes a request %s', (_, text) => {
    expect(bodyLength(text)).toBe(42);
  });

  it.each([
    ['that closes the connection', head('connection: close')],
    ['that upgrades', head('connection: upgrade', 'upgrade: websocket')],
    ['in chunks', head('transfer-encoding: chunked')],
    ['that waits for a go-ahead', head('expect: 100-continue')],
    ['that only reads', head().replace('POST', 'GET')],
  ])('leaves a request %s to the general server', (_, text) => {
    expect(bodyLength(text)).toBeNull();
  });
});
