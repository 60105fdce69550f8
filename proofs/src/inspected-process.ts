import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../scripts/product-client.ts';

/**
 * Looks into a part of a running product through Node's inspector, which a signal opens. The product must have been started with
 * `NODE_OPTIONS=--inspect-port=0`, so that the inspector takes a free port.
 */
export async function evaluateInside(input: {
  dataDirectory: string;
  part: 'server' | 'localnet';
  pid: number;
  expression: string;
}): Promise<unknown> {
  process.kill(input.pid, 'SIGUSR1');
  const logFile = join(input.dataDirectory, 'logs', `${input.part}.log`);
  const address = await until(
    async () => /Debugger listening on (ws:\/\/\S+)/.exec(readFileSync(logFile, 'utf8'))?.[1],
    `the inspector of ${input.part}`,
    20_000,
  );
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')), { once: true });
  });
  try {
    const answer = new Promise<InspectorReply>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const reply = JSON.parse(String(data)) as InspectorReply;
        if (reply.id === 1) resolve(reply);
      });
    });
    const params = { expression: input.expression, awaitPromise: true, returnByValue: true };
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
    const { result } = await answer;
    if (result.exceptionDetails) throw new Error(`inside ${input.part}: ${JSON.stringify(result.exceptionDetails)}`);
    return result.result.value;
  } finally {
    socket.close();
  }
}

type InspectorReply = { id: number; result: { result: { value: unknown }; exceptionDetails?: unknown } };
