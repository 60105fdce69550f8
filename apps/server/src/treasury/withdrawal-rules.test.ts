import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import type { Plain } from '@hunter/domain/plain-for-test';
import { lamports } from '@hunter/domain/numbers/lamports';
import {
  decideWithdrawable,
  decideWithdrawal as decide,
  WITHDRAWAL_FEE_LAMPORTS as FEE,
  type WithdrawalBalances,
} from './withdrawal-rules.ts';

const SOL = 1_000_000_000n;
const decideWithdrawal = (balances: Plain<WithdrawalBalances>, amount: bigint) =>
  decide(balances as WithdrawalBalances, lamports(amount));
const onlyPersonal = (cash: bigint) => ({ personalCash: cash, allCash: cash, allHeld: 0n });

describe('decideWithdrawal', () => {
  it('takes the fee on top of what the destination receives', () => {
    expect(decideWithdrawal(onlyPersonal(SOL), SOL)).toEqual({ kind: 'insufficient' });
    expect(decideWithdrawal(onlyPersonal(SOL), SOL - FEE)).toEqual({ kind: 'allowed' });
  });

  it('leaves an account that may exist, or none', () => {
    const balances = onlyPersonal(SOL);
    expect(decideWithdrawal(balances, SOL - FEE - 1n)).toMatchObject({ kind: 'leaves-dust' });
    expect(decideWithdrawal(balances, SOL - FEE - WALLET_MINIMUM_LAMPORTS + 1n)).toMatchObject({ kind: 'leaves-dust' });
    expect(decideWithdrawal(balances, SOL - FEE - WALLET_MINIMUM_LAMPORTS)).toEqual({ kind: 'allowed' });
  });

  it('takes no fee from an account that it would bring below what it must hold', () => {
    expect(decideWithdrawal(onlyPersonal(890_880n), 885_880n)).toEqual({ kind: 'insufficient' });
    expect(decideWithdrawable(onlyPersonal(890_880n) as WithdrawalBalances)).toBe(0n);
    expect(decideWithdrawal(onlyPersonal(895_880n), 890_880n)).toEqual({ kind: 'allowed' });
  });

  it('leaves the minimum in the personal book where other books or holds remain, which may be spent at any time', () => {
    for (const others of [
      { allCash: 2n * SOL, allHeld: 0n },
      { allCash: SOL, allHeld: SOL },
    ]) {
      const balances = { personalCash: SOL, ...others };
      expect(decideWithdrawal(balances, SOL - FEE).kind).toBe('leaves-dust');
      expect(decideWithdrawal(balances, SOL - FEE - WALLET_MINIMUM_LAMPORTS).kind).toBe('allowed');
    }
  });

  it('says as withdrawable the largest amount that is allowed', () => {
    const amount = fc.bigInt({ min: 0n, max: 3_000_000n });
    fc.assert(
      fc.property(amount, amount, amount, (personalCash, otherCash, allHeld) => {
        const balances = { personalCash, allCash: personalCash + otherCash, allHeld };
        const most = decideWithdrawable(balances as WithdrawalBalances);
        if (most > 0n) expect(decideWithdrawal(balances, most).kind).toBe('allowed');
        expect(decideWithdrawal(balances, most + 1n).kind).not.toBe('allowed');
      }),
    );
  });

  it('says everything as withdrawable where the whole wallet may leave, and nothing where only the fee is there', () => {
    expect(decideWithdrawable(onlyPersonal(SOL) as WithdrawalBalances)).toBe(SOL - FEE);
    expect(decideWithdrawable(onlyPersonal(FEE) as WithdrawalBalances)).toBe(0n);
    const others = { personalCash: SOL, allCash: 2n * SOL, allHeld: 0n } as WithdrawalBalances;
    expect(decideWithdrawable(others)).toBe(SOL - FEE - WALLET_MINIMUM_LAMPORTS);
  });
});
