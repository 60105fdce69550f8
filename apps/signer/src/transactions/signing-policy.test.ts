import { Keypair } from '@hunter/solana/keypair';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it } from 'vitest';
import { buy, close, commit, mint, returned, tokenWithdrawal, withdrawal } from '../fixtures/transaction-scenes.ts';
import { readSigningPolicy } from './signing-policy.ts';

const [own, strategy, third] = [1, 2, 3].map(() => Keypair.generate().address);
const swap = buy(own!).policy;
const sol = withdrawal(own!).policy;
const token = tokenWithdrawal(own!).policy;
const back = returned(strategy!, [{ to: own!, lamports: 5n }], [{ to: own!, mint, amount: 7n }]).policy;
const leg = { to: own, lamports: '5' };
const tokenLeg = { to: own, mint, tokenProgram: TOKEN_PROGRAM, amount: '7' };

describe('what a request says its transaction is for', () => {
  it.each([
    ['no policy given', null],
    ['no policy given', 'swap'],
    ['unknown kind of policy', { kind: 'other' }],
    ['side', { ...swap, side: 'both' }],
    ['mint is no address', { ...swap, mint: 5 }],
    ['tokenProgram is no address', { ...swap, tokenProgram: 'x' }],
    ['tokenProgram', { ...swap, tokenProgram: own }],
    ['maxLamportsOut is no amount', { ...swap, maxLamportsOut: 5 }],
    ['maxTokensOut is no amount', { ...swap, maxTokensOut: '-5' }],
    ['minLamportsIn is no amount', { ...swap, minLamportsIn: '' }],
    ['minTokensIn is no amount', { ...swap, minTokensIn: '1'.repeat(21) }],
    ['poolCertificate', { ...swap, poolCertificate: 'A'.repeat(88) }],
    ['poolCertificate', { ...swap, poolCertificate: 5 }],
    ['mint is no address', { ...close(own!).policy, mint: '' }],
    ['withdrawalId', { ...sol, withdrawalId: 5 }],
    ['withdrawalId', { ...sol, withdrawalId: '' }],
    ['withdrawalId', { ...sol, withdrawalId: 'a'.repeat(65) }],
    ['withdrawalId', { ...sol, withdrawalId: 'a b' }],
    ['password', { ...sol, password: 5 }],
    ['destination is no address', { ...sol, destination: null }],
    ['lamports is zero', { ...sol, lamports: '0' }],
    ['lamports is no amount', { ...sol, lamports: undefined }],
    ['a withdrawal is SOL or one token', { ...token, lamports: '5' }],
    ['token', { ...token, token: null }],
    ['token', { ...token, token: 'all' }],
    ['mint is no address', { ...token, token: { ...(token['token'] as object), mint: '' } }],
    ['amount is zero', { ...token, token: { ...(token['token'] as object), amount: '0' } }],
    ['strategyWallet is no address', { ...commit(own!, strategy!, 5n).policy, strategyWallet: '' }],
    ['lamports is zero', { ...commit(own!, strategy!, 5n).policy, lamports: '0' }],
    ['legs is no list', { ...back, legs: undefined }],
    ['legs is no list', { ...back, legs: Array.from({ length: 65 }, () => leg) }],
    ['legs has no objects', { ...back, legs: ['leg'] }],
    ['to is no address', { ...back, legs: [{ ...leg, to: '' }] }],
    ['lamports is zero', { ...back, legs: [{ ...leg, lamports: '0' }] }],
    ['tokens is no list', { ...back, tokens: 'all' }],
    ['tokens has no objects', { ...back, tokens: [null] }],
    ['to is no address', { ...back, tokens: [{ ...tokenLeg, to: '' }] }],
    ['mint is no address', { ...back, tokens: [{ ...tokenLeg, mint: '' }] }],
    ['amount is zero', { ...back, tokens: [{ ...tokenLeg, amount: '0' }] }],
    ['a return of nothing', { ...back, legs: [], tokens: [] }],
    ['the same receiver twice', { ...back, legs: [leg, leg] }],
    ['the same receiver twice', { ...back, tokens: [tokenLeg, tokenLeg] }],
  ])('is refused where it is wrong: %s', (reason, policy) => {
    const code = reason === 'poolCertificate' ? 'COUNTERPARTY' : 'POLICY_INVALID';
    expect(() => readSigningPolicy(policy)).toThrow(`${code}: ${reason}`);
  });

  it('names amounts as they are, and what is not bounded as nothing', () => {
    expect(readSigningPolicy({ ...swap, minTokensIn: undefined })).toMatchObject({
      minTokensIn: 0n,
      minLamportsIn: 0n,
    });
    expect(readSigningPolicy({ ...swap, minLamportsIn: '9' })).toMatchObject({ minLamportsIn: 9n, maxTokensOut: 0n });
    expect(readSigningPolicy({ ...sol, password: undefined })).toMatchObject({ password: null, lamports: 1_000n });
    expect(readSigningPolicy({ ...sol, withdrawalId: 'a'.repeat(64) })).toMatchObject({ token: null });
    expect(readSigningPolicy(token)).toMatchObject({ lamports: 0n, password: 'correct horse battery' });
  });

  it('may return to several, and several mints to one', () => {
    const others = Array.from({ length: 62 }, () => ({ ...leg, to: Keypair.generate().address }));
    const legs = [leg, { ...leg, to: strategy }, ...others];
    const tokens = [tokenLeg, { ...tokenLeg, mint: third }, { ...tokenLeg, to: strategy }];
    const policy = readSigningPolicy({ ...back, legs, tokens });
    expect(policy).toMatchObject({ kind: 'return' });
    expect(policy.kind === 'return' && [policy.legs.length, policy.tokens.length]).toEqual([64, 3]);
    expect(readSigningPolicy({ ...back, tokens: undefined })).toMatchObject({ tokens: [] });
  });
});
