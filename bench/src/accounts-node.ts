import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// A node in a thread of its own that knows some accounts and answers getMultipleAccounts, for the comparison of reconciliation with
// a bare loop of the same calls.

const { addresses, accounts } = workerData as { addresses: string[]; accounts: string[] };
const known = new Map(addresses.map((address, index) => [address, accounts[index]!]));

type Call = { id: number; params: [string[]] };

const answer = ({ id, params: [asked] }: Call): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"context":{"slot":500},"value":[${asked.map((address) => known.get(address) ?? 'null').join(',')}]}}`;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    response.setHeader('content-type', 'application/json');
    response.end(Array.isArray(body) ? `[${body.map(answer).join(',')}]` : answer(body));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  parentPort!.postMessage({ port }, []);
});
