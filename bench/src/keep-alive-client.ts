/**
 * An HTTP client that costs next to nothing, so that the server and not its client is measured: requests are encoded
 * before the clock starts, each connection stays open and has one request under way.
 */
import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

export function encodePost(port: number, body: string): Buffer {
  const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

/** Sends every request once over `connections` connections and answers with the requests per second. */
export async function postAll(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  check: (body: string) => void,
): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  let next = 0;
  const start = performance.now();
  try {
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve, reject) => {
            let unread = '';
            const send = (): void => {
              const request = requests[next];
              next += 1;
              if (request === undefined) resolve();
              else socket.write(request);
            };
            socket.setEncoding('latin1');
            socket.on('error', reject).on('close', () => reject(new Error('the server closed the connection')));
            socket.on('data', (chunk: string) => {
              unread += chunk;
              const body = bodyOf(unread);
              if (body === null) return;
              unread = '';
              try {
                check(body);
                send();
              } catch (error) {
                reject(error instanceof Error ? error : new Error(String(error)));
              }
            });
            send();
          }),
      ),
    );
    return (requests.length * 1000) / (performance.now() - start);
  } finally {
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Null until the whole answer is there. With one request under way nothing can follow it. */
function bodyOf(text: string): string | null {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(text.slice(0, headEnd + 2));
  if (length === null) throw new Error('an answer without a length');
  const body = text.slice(headEnd + HEAD_END.length);
  return body.length < Number(length[1]) ? null : body;
}
