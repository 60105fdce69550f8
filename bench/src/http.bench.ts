/** A trivial authenticated GET through the whole HTTP stack, against a bare fastify route with the same bytes. Bar: 60 %. */
import { fastify } from 'fastify';
import { startBenchServer } from './bench-server.ts';
import { requestsPerSecond } from './http-load.ts';
import type { Figures } from '../../scripts/run-named.ts';

const ROUNDS = 3;

export default async function measureHttp(): Promise<Figures> {
  const wallet = {
    email: 'bench@example.com',
    walletInfo: {
      walletAddress: 'address',
      tokenBalance: '1',
      available: '1',
      committed: '0',
      equity: '1',
      withdrawable: '1',
    },
  };
  const product = await startBenchServer({ myWallet: async () => wallet });
  const bytes = await (await fetch(`${product.url}/api/user/myWallet`, { headers: { token: 'bench' } })).text();
  const bare = fastify();
  bare.get('/api/user/myWallet', async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes),
  );
  const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });
  try {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await requestsPerSecond(`${bareUrl}/api/user/myWallet?t=1`));
      ours.push(await requestsPerSecond(`${product.url}/api/user/myWallet?t=1`, { headers: { token: 'bench' } }));
    }
    const productRps = Math.max(...ours);
    const bareRps = Math.max(...theirs);
    return { productRps, bareRps, share: Math.round((productRps / bareRps) * 100) / 100, bar: 0.6 };
  } finally {
    await product.close();
    await bare.close();
  }
}
