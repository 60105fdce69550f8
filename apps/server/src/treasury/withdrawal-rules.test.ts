import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideWithdrawable,
  decideWithdrawal,
  RENT_EXEMPT_LAMPORTS,
  WITHDRAWAL_FEE_LAMPORTS as FEE,
} from './withdrawal-rules.ts';

const SOL = 1_000_000_000n;
const onlyPersonal = (cash: bigint) => ({ personalCash: cash, allCash: cash, allHeld: 0n });

describe('decideWithdrawal', () => {
  it('takes the fee on top of what the destination receives', () => {
    expect(decideWithdrawal(onlyPersonal(SOL), SOL)).toEqual({ kind: 'insufficient' });
    expect(decideWithdrawal(onlyPersonal(SOL), SOL - FEE)).toEqual({ kind: 'allowed' });
  });

  it('leaves an account that may exist, or none', () => {
    const balances = onlyPersonal(SOL);
    expect(decideWithdrawal(balances, SOL - FEE - 1n)).toMatchObject({ kind: 'leaves-dust' });
    expect(decideWithdrawal(balances, SOL - FEE - RENT_EXEMPT_LAMPORTS + 1n)).toMatchObject({ kind: 'leaves-dust' });
    expect(decideWithdrawal(balances, SOL - FEE - RENT_EXEMPT_LAMPORTS)).toEqual({ kind: 'allowed' });
  });

  it('counts the SOL of other books as staying, and never what is on its way out', () => {
    expect(decideWithdrawal({ personalCash: SOL, allCash: 2n * SOL, allHeld: 0n }, SOL - FEE).kind).toBe('allowed');
    expect(decideWithdrawal({ personalCash: SOL, allCash: SOL, allHeld: SOL }, SOL - FEE).kind).toBe('leaves-dust');
  });

  it('says as withdrawable the largest amount that is allowed', () => {
    const amount = fc.bigInt({ min: 0n, max: 3_000_000n });
    fc.assert(
      fc.property(amount, amount, amount, (personalCash, otherCash, allHeld) => {
        const balances = { personalCash, allCash: personalCash + otherCash, allHeld };
        const most = decideWithdrawable(balances);
        if (most > 0n) expect(decideWithdrawal(balances, most).kind).toBe('allowed');
        expect(decideWithdrawal(balances, most + 1n).kind).not.toBe('allowed');
      }),
    );
  });
});
