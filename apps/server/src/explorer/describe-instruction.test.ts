import { ASSOCIATED_TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { expect, it } from 'vitest';
import { describeInstruction } from './describe-instruction.ts';

it('calls no instruction of the associated token program by the name of another', () => {
  const nameOf = (...data: number[]) => describeInstruction(ASSOCIATED_TOKEN_PROGRAM, [], Uint8Array.from(data)).name;
  expect([nameOf(), nameOf(0), nameOf(1), nameOf(2), nameOf(9)]).toEqual([
    'Create',
    'Create',
    'CreateIdempotent',
    'RecoverNested',
    null,
  ]);
});
