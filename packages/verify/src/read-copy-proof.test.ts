import { expect, it } from 'vitest';
import { readCopyProof } from './read-copy-proof.ts';

const proof = {
  wallet: 'w',
  roundId: 'r',
  mint: 'm',
  followId: 'f',
  salt: 's',
  amountIn: '1',
  txHash: 't',
  attempt: 1,
  reason: 0,
  count: 2,
  index: 0,
  side: 'buy',
  path: [{ hash: 'h', sum: '1', side: 'right' }],
};

it('reads a proof from the JSON of a receipt', () => {
  expect(readCopyProof(JSON.stringify(proof))).toEqual({ proof });
});

it('names what is missing or wrong', () => {
  const wrongOf = (change: object) => readCopyProof(JSON.stringify({ ...proof, ...change }));
  expect(readCopyProof('{')).toEqual({ wrong: 'JSON' });
  expect(readCopyProof('null')).toEqual({ wrong: 'JSON' });
  expect(wrongOf({ salt: 1 })).toEqual({ wrong: 'salt' });
  expect(wrongOf({ count: '2' })).toEqual({ wrong: 'count' });
  expect(wrongOf({ attempt: 0.5 })).toEqual({ wrong: 'attempt' });
  expect(wrongOf({ side: 'hold' })).toEqual({ wrong: 'side' });
  for (const path of [undefined, [null], [{ hash: 'h', sum: 1, side: 'left' }], Array(33).fill(proof.path[0])]) {
    expect(wrongOf({ path })).toEqual({ wrong: 'path' });
  }
});
