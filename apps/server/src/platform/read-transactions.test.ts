import fc from 'fast-check';
import { RpcError, RpcTransportError } from '@hunter/solana/rpc-error';
import { SolanaError } from '@hunter/solana/solana-error';
import { expect, it } from 'vitest';
import { readTransactions } from './read-transactions.ts';

type Kind = 'fine' | 'absent' | 'version' | 'bytes' | 'shape';

/** A node that refuses a list as a whole where one of it cannot be read, as the client does. */
function aNode(kinds: readonly Kind[]) {
  let asks = 0;
  const signatures = kinds.map((kind, index) => `${kind}-${index}`);
  const getTransactions = async (asked: readonly string[]) => {
    asks += 1;
    return asked.map((signature) => {
      if (signature.startsWith('version')) throw new RpcError('getTransaction', -32015, 'version 7', null);
      if (signature.startsWith('bytes')) throw new SolanaError('MESSAGE_INVALID', { reason: 'odd' });
      if (signature.startsWith('shape')) throw new RpcTransportError('malformed', 'no valid transaction meta');
      return signature.startsWith('absent') ? null : { signature };
    });
  };
  return { rpc: { getTransactions } as never, signatures, asks: () => asks };
}

it('shows every transaction that can be read, in order, and names those that cannot', async () => {
  const kind = fc.constantFrom<Kind>('fine', 'absent', 'version', 'bytes', 'shape');
  await fc.assert(
    fc.asyncProperty(fc.array(kind, { maxLength: 40 }), async (others) => {
      const { rpc, signatures } = aNode(['fine', ...others]);
      const { transactions, unreadable } = await readTransactions(rpc, signatures);
      expect(transactions).toEqual(signatures.map((one) => (one.startsWith('fine') ? { signature: one } : null)));
      expect([...unreadable.keys()]).toEqual(signatures.filter((one) => /^(version|bytes|shape)/.test(one)));
    }),
  );
});

it('asks a few times for one unreadable transaction among many', async () => {
  const { rpc, signatures, asks } = aNode([...Array<Kind>(249).fill('fine'), 'version']);
  await readTransactions(rpc, signatures);
  expect(asks()).toBeLessThan(20);
});

it('blames no transaction where the node shows none properly, or does not answer', async () => {
  const { rpc, signatures } = aNode(['shape', 'shape', 'absent']);
  await expect(readTransactions(rpc, signatures)).rejects.toThrow('no valid transaction meta');
  const timeout = new RpcTransportError('timeout', 'no answer');
  const silent = { getTransactions: () => Promise.reject(timeout) } as never;
  await expect(readTransactions(silent, ['one', 'two'])).rejects.toBe(timeout);
});

it('blames no transaction where what comes is no answer of the node, also after it has answered', async () => {
  const { rpc, signatures } = aNode(['fine', 'fine', 'version', 'fine']);
  const { getTransactions } = rpc as { getTransactions: (asked: readonly string[]) => Promise<unknown> };
  const page = new RpcTransportError('garbled', 'the reply is no JSON');
  const behindProxy = (asked: readonly string[]) =>
    asked[0] === signatures[2] ? Promise.reject(page) : getTransactions(asked);
  await expect(readTransactions({ getTransactions: behindProxy } as never, signatures)).rejects.toBe(page);
});
