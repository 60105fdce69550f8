/** Clients of the stream bench in a process of their own: `stream-clients.ts {"url", "connections", "tokens", "follows"}`; with `every` it says each time that so many more came. */
import { WebSocket } from 'ws';

const { url, connections, tokens, follows, every } = JSON.parse(process.argv[2] ?? '{}') as {
  url: string;
  connections: number;
  tokens: number;
  follows: number;
  every?: number;
};
const lagsMs: number[] = [];
let received = 0;

function connect(index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    let waiting = follows;
    socket.on('error', reject);
    socket.on('open', () => {
      for (let i = 0; i < follows; i += 1) {
        socket.send(
          JSON.stringify({ op: 'subscribe', channel: 'price', key: `token${(index * follows + i) % tokens}` }),
        );
      }
    });
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1');
      if (waiting > 0 && text.startsWith('{"op":"subscribed"')) {
        waiting -= 1;
        if (waiting === 0) resolve();
        return;
      }
      received += 1;
      const sentAt = /"time":(\d+)/.exec(text);
      if (sentAt) lagsMs.push(Date.now() - Number(sentAt[1]));
      if (every !== undefined && received % every === 0) process.stdout.write(`${received}\n`);
    });
  });
}

// A few at a time: a listen queue is short.
for (let start = 0; start < connections; start += 50) {
  await Promise.all(Array.from({ length: Math.min(50, connections - start) }, (_, i) => connect(start + i)));
}
process.stdout.write('ready\n');
process.stdin.once('data', report);
process.stdin.on('end', () => process.exit(0));

function report(): void {
  lagsMs.sort((a, b) => a - b);
  const at = (share: number) => lagsMs[Math.floor(lagsMs.length * share)] ?? null;
  process.stdout.write(`${JSON.stringify({ received, p50Ms: at(0.5), p99Ms: at(0.99) })}\n`, () => process.exit(0));
}
