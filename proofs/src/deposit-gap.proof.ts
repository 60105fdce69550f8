/**
 * The real server loses its stream from the chain while deposits arrive: once the stream is back it finds every one of them, and none
 * twice. Takes for how many minutes the stream is away (10) and how many deposits come meanwhile (100).
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withKillableServer } from './kill/killable-server.ts';

const WELCOME = 10_000_000_000n;

export default async function proveDepositGap([minutes = '10', count = '100']: readonly string[]): Promise<Figures> {
  const line = await Line.open();
  try {
    return await withKillableServer(
      async ({ server, database, rpc, invariants }) => {
        const user = await server.register();
        line.cut();
        const gapMs = Number(minutes) * 60_000;
        const deposits = Number(count);
        let given = WELCOME;
        for (let index = 0; index < deposits; index += 1) {
          const lamports = BigInt(1_000_000 + index);
          await rpc.requestAirdrop(user.address, lamports);
          given += lamports;
          await delay(gapMs / deposits);
        }
        const posted = async () => {
          const [row] = await database.query<{ count: bigint; lamports: bigint }>(
            `select count(*), coalesce(sum(amount), 0)::numeric(40, 0) as lamports from wallet_movement
             where status = 'finalized' and amount > 0`,
          );
          return row!;
        };
        const before = await posted();
        line.mend();
        const startedMs = performance.now();
        await until(async () => (await posted()).count >= BigInt(deposits + 1), 'every deposit', 120_000).catch(
          () => {},
        );
        const foundMs = performance.now() - startedMs;
        // What would be posted a second time has the chance to be.
        line.cut();
        line.mend();
        await delay(5_000);
        const after = await posted();
        const { broken } = await invariants();
        const { value: chain } = await rpc.getBalance(user.address, 'finalized');
        return {
          minutesWithoutStream: Number(minutes),
          deposits,
          foundWithoutStream: before.count - 1n,
          found: after.count - 1n,
          foundAfterMs: Math.round(foundMs),
          broken,
          ok:
            after.count === BigInt(deposits + 1) && after.lamports === given && chain === given && broken.length === 0,
        };
      },
      ({ rpcWs }) => line.to(rpcWs),
    );
  } finally {
    await line.close();
  }
}

/** A line to the node's stream that can be cut. */
class Line {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #open = new Set<Socket>();
  #port = 0;
  #isCut = false;

  static async open(): Promise<Line> {
    const line = new Line();
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  /** The address under which the stream at `target` is reached through this line. */
  to(target: string): string {
    this.#port = Number(new URL(target).port);
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    const node = connect(this.#port, '127.0.0.1');
    for (const end of [socket, node]) {
      this.#open.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        this.#open.delete(end);
        socket.destroy();
        node.destroy();
      });
    }
    socket.pipe(node).pipe(socket);
  }
}
