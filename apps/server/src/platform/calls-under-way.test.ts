import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { CallsUnderWay } from './calls-under-way.ts';

class Client {
  readonly #answers: PromiseWithResolvers<string>[] = [];
  readonly name = 'a client';

  ask(): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.#answers.push(answer);
    return answer.promise;
  }

  size(): number {
    return this.#answers.length;
  }

  settle(how: 'resolve' | 'reject'): void {
    this.#answers.shift()![how]('over');
  }
}

describe('calls under way', () => {
  it('count from the call to its answer, a refusal too, and nothing else counts', async () => {
    const calls = new CallsUnderWay();
    const client = new Client();
    const counted = calls.counting(client);
    const [first, second] = [counted.ask(), counted.ask()];
    expect([counted.size(), counted.name, calls.count]).toEqual([2, 'a client', 2]);
    client.settle('resolve');
    expect(await first).toBe('over');
    expect(calls.count).toBe(1);
    client.settle('reject');
    await expect(second).rejects.toBe('over');
    expect(calls.count).toBe(0);
  });

  it('count what is fetched until all of it has arrived, or the connection fails', async () => {
    const calls = new CallsUnderWay();
    calls.countFetches();
    let seen = 0;
    const server = createServer((request, response) => {
      seen = calls.count;
      if (request.url === '/breaks') request.socket.destroy();
      else response.end('here');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await (await fetch(url)).text()).toBe('here');
    expect([seen, calls.count]).toEqual([1, 0]);
    await expect(fetch(`${url}/breaks`)).rejects.toThrow();
    expect([seen, calls.count]).toEqual([1, 0]);
    server.closeAllConnections();
    server.close();
  });
});
