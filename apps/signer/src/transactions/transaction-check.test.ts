import type { Address } from '@hunter/solana/address';
import { setComputeUnitLimit, setComputeUnitPrice } from '@hunter/solana/compute-budget-program';
import { type Instruction, writableAccount, writableSigner } from '@hunter/solana/instruction';
import { Keypair } from '@hunter/solana/keypair';
import { describe, expect, it } from 'vitest';
import { checkScene, reasonsOf } from '../fixtures/check-scene.ts';
import { attacksOn } from '../fixtures/hostile-transactions.ts';
import {
  buy,
  close,
  commit,
  mint,
  pool,
  returned,
  type Scene,
  sell,
  SPEND,
  TOKENS,
  withdrawal,
} from '../fixtures/transaction-scenes.ts';

// What the bytes say, without keys, limits or a record of what was: every attack is refused for what is hostile in it.

const own = Keypair.generate().address;
const check = (scene: Scene, by: Address = own): unknown => checkScene(scene, by);

const ATTACKS: Record<string, readonly string[]> = {
  'SetAuthority over the wallet’s tokens': [
    'INSTRUCTION: a token instruction that is not on the list',
    'INSTRUCTION: a withdrawal of SOL moves no tokens',
  ],
  'Approve and ApproveChecked': [
    'INSTRUCTION: a token instruction that is not on the list',
    'INSTRUCTION: a withdrawal of SOL moves no tokens',
  ],
  'Assign and other system instructions': ['INSTRUCTION: the system program is accepted for plain transfers only'],
  'a durable nonce advanced first': ['INSTRUCTION: the system program is accepted for plain transfers only'],
  'another fee payer': ['FEE_PAYER: the wallet itself must pay the fee'],
  'amounts beyond the bounds': [
    'AMOUNT: more lamports would leave than the order allows',
    'AMOUNT: more tokens would leave than the order allows',
    'AMOUNT: the transfer is not the amount of the withdrawal',
  ],
  'a ruinous priority fee': [
    'AMOUNT: more lamports would leave than the order allows',
    'AMOUNT: the network fee is beyond its ceiling',
  ],
  'an unknown program': ['PROGRAM: a program that is not on the list'],
  'a hidden second transfer': [
    'DESTINATION: a transfer to somebody not named',
    'DESTINATION: lamports would go to somebody else than the pool',
    'DESTINATION: the transfer goes elsewhere',
    'INSTRUCTION: a sale sends no lamports',
    'INSTRUCTION: closing an account sends no lamports',
  ],
  'a hidden second token transfer': [
    'DESTINATION: tokens would go to somebody else than the pool',
    'DESTINATION: tokens would go to somebody not named',
    'INSTRUCTION: a buy sends no tokens',
    'INSTRUCTION: a token instruction that is not on the list',
    'INSTRUCTION: a withdrawal of SOL moves no tokens',
  ],
  'tokens of another mint': ['MINT: tokens of another mint'],
  'an unchecked transfer, burn or mint': [
    'INSTRUCTION: a token instruction that is not on the list',
    'INSTRUCTION: a withdrawal of SOL moves no tokens',
  ],
  'the other token program': ['PROGRAM: the other token program'],
  'rent returned to somebody else': ['DESTINATION: the rent must return to the wallet'],
  'a token account for somebody else at our cost': ['DESTINATION: the token account would belong to somebody else'],
  'bought tokens delivered to somebody else': ['DESTINATION: tokens go to an account that is not the wallet’s'],
  'nothing or too little in return': [
    'COUNTERPARTY: a swap has two signers, the wallet and a pool',
    'NOTHING_IN_RETURN: the swap returns less than the order demands',
  ],
  'a swap that pays a stranger for one unit of a worthless token': [
    'COUNTERPARTY: poolCertificate',
    'COUNTERPARTY: the venue has not certified the other signer as a pool of this mint',
  ],
  'tokens sold to a stranger for one lamport': [
    'COUNTERPARTY: the venue has not certified the other signer as a pool of this mint',
    'DESTINATION: tokens would go to somebody else than the pool',
  ],
  'a pool certified for another mint': [
    'COUNTERPARTY: the venue has not certified the other signer as a pool of this mint',
  ],
  'a third signer of a swap': ['COUNTERPARTY: a swap has two signers, the wallet and a pool'],
  'proceeds that come from somebody else than the pool': [
    'COUNTERPARTY: the venue has not certified the other signer as a pool of this mint',
  ],
  'a memo of another form, twice or outside a swap': ['INSTRUCTION: a memo that is not the one of a swap'],
  'a withdrawal to another address': ['DESTINATION: the transfer goes elsewhere'],
  'a withdrawal to the wallet itself or to an address of the network': [
    'DESTINATION: nobody else could ever spend what this destination receives',
  ],
  'a withdrawal of tokens that goes elsewhere, or of other tokens': [
    'AMOUNT: the tokens are not the amount named',
    'DESTINATION: tokens would go to somebody not named',
    'INSTRUCTION: a transfer between our wallets has one signer',
    'MINT: tokens from another account',
  ],
  'a withdrawal of tokens that makes an account for somebody else, or two': [
    'DESTINATION: a token account that no transfer needs',
    'INSTRUCTION: a token account created twice',
  ],
  'a withdrawal of tokens that also sends SOL, closes, or sends twice': [
    'DESTINATION: a transfer to somebody not named',
    'INSTRUCTION: a second transfer of the same tokens',
    'INSTRUCTION: a token instruction that is not on the list',
  ],
  'a withdrawal of tokens under a policy of SOL, of both, or of wrapped SOL': [
    'DESTINATION: a token account that no transfer needs',
    'INSTRUCTION: only swaps create token accounts',
    'MINT: wrapped SOL is withdrawn as SOL',
    'POLICY_INVALID: a withdrawal is SOL or one token',
    'POLICY_INVALID: amount is zero',
  ],
  'wrapped SOL withdrawn past the limits of SOL': ['MINT: wrapped SOL is withdrawn as SOL'],
  'tokens withdrawn to the wallet itself or to an address of the network': [
    'DESTINATION: nobody else could ever spend what this destination receives',
  ],
  'a withdrawal with a wrong or missing password': ['POLICY_INVALID: password'],
  'the wallet as a further signer of a multisig transfer': [
    'INSTRUCTION: the wallet as a further signer of a transfer',
  ],
  'lookup tables': ['LOOKUP_TABLE: lookup tables are not accepted'],
  'a destination hidden in a lookup table': ['LOOKUP_TABLE: lookup tables are not accepted'],
  'an aggregator': ['PROGRAM: a program that is not on the list'],
  'the wallet listed twice': ['TRANSACTION_MALFORMED: an account listed twice'],
  'a program or account index out of range': [
    'TRANSACTION_MALFORMED: account index',
    'TRANSACTION_MALFORMED: program index',
  ],
  'bytes cut short': ['TRANSACTION_MALFORMED: cut short'],
  'bytes added at the end': ['TRANSACTION_MALFORMED: bytes after the end'],
  'a longer form of a length': ['TRANSACTION_MALFORMED: a length in a longer form than needed'],
  'another message version': ['TRANSACTION_MALFORMED: unknown message version'],
  'a policy that is none': [
    'POLICY_INVALID: lamports is no amount',
    'POLICY_INVALID: mint is no address',
    'POLICY_INVALID: tokenProgram',
    'POLICY_INVALID: unknown kind of policy',
  ],
  'a sale that sends lamports to a stranger': ['INSTRUCTION: a sale sends no lamports'],
  'lamports sent on by a third party under our signature': [
    'DESTINATION: a transfer that is not ours',
    'INSTRUCTION: a transfer between our wallets has one signer',
  ],
};

describe('an attack on a transaction', () => {
  const attacks = attacksOn(own);

  it('stands in the list of reasons', () => {
    expect(Object.keys(attacks)).toEqual(Object.keys(ATTACKS));
  });

  it.each(Object.entries(ATTACKS))('is refused for what it is: %s', (name, reasons) => {
    expect(reasonsOf(10, (seed) => ({ scene: attacks[name]!(seed), by: own }))).toEqual(reasons);
  });
});

describe('an honest transaction', () => {
  const RENT = 2_039_280n;
  const FEES = 10_000n;
  const withPolicy = (scene: Scene, policy: Record<string, unknown>): Scene => ({
    ...scene,
    policy: { ...scene.policy, ...policy },
  });

  it('moves what its policy says, fee and rent included', () => {
    expect(check(buy(own))).toMatchObject({ lamportsOut: SPEND + RENT + FEES, lamportsIn: 0n, tokensIn: TOKENS });
    expect(check(sell(own))).toMatchObject({ lamportsOut: FEES, lamportsIn: SPEND, tokensIn: 0n, tokensOut: TOKENS });
    expect(check(close(own))).toMatchObject({ closed: 1, lamportsOut: 0n });
    expect(check(withdrawal(own))).toMatchObject({ lamportsOut: 1_000n });
  });

  it('may move exactly what its bounds allow, and not one more', () => {
    const most = SPEND + RENT + FEES;
    expect(() => check(withPolicy(buy(own), { maxLamportsOut: String(most) }))).not.toThrow();
    expect(() => check(withPolicy(buy(own), { maxLamportsOut: String(most - 1n) }))).toThrow('more lamports');
    expect(() => check(withPolicy(buy(own), { minTokensIn: String(TOKENS + 1n) }))).toThrow('NOTHING_IN_RETURN');
    expect(() => check(withPolicy(sell(own), { maxTokensOut: String(TOKENS - 1n) }))).toThrow('more tokens');
    expect(() => check(withPolicy(sell(own), { minLamportsIn: String(SPEND + 1n) }))).toThrow('NOTHING_IN_RETURN');
  });

  it('returns something, whatever little its policy asks for', () => {
    const unbounded = withPolicy(buy(own), { minTokensIn: undefined });
    expect(() => check(unbounded)).not.toThrow();
    const sale = withPolicy(sell(own), { minLamportsIn: undefined });
    expect(() => check(sale)).not.toThrow();
    expect(() => check({ ...unbounded, instructions: unbounded.instructions.slice(0, 2) })).toThrow();
  });

  it('pays for a priority within its bounds', () => {
    const priced = (scene: Scene): Scene => ({
      ...scene,
      instructions: [setComputeUnitLimit(200_000), setComputeUnitPrice(50_000n), ...scene.instructions],
    });
    expect(check(priced(sell(own)))).toMatchObject({ lamportsOut: FEES + 10_000n });
    expect(() => check(priced(withdrawal(own)))).not.toThrow();
  });

  it('closes one account, or sends one transfer, and not none', () => {
    expect(() => check({ ...close(own), instructions: [setComputeUnitLimit(5)] })).toThrow('exactly one account');
    expect(() => check({ ...withdrawal(own), instructions: [setComputeUnitLimit(5)] })).toThrow('exactly one transfer');
    const twice = withdrawal(own);
    expect(() => check({ ...twice, instructions: [...twice.instructions, ...twice.instructions] })).toThrow(
      'exactly one transfer',
    );
  });
});

describe('a transaction that is nearly honest', () => {
  const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
  const strategy = Keypair.generate().address;
  const other = writableAccount(Keypair.generate().address);
  const inKind = () => returned(strategy, [], [{ to: own, mint, amount: 10n }]);
  const soldAndClosed = (): Scene => {
    const scene = sell(own);
    return { ...scene, instructions: [...scene.instructions, ...close(own).instructions] };
  };
  /** The pool pays as well, so that it signs whoever sends the tokens. */
  const boughtBack = (): Scene => {
    const scene = buy(own);
    return { ...scene, instructions: [...scene.instructions, sell(own).instructions[1]!] };
  };
  const changed = (scene: Scene, index: number, change: (instruction: Instruction) => Partial<Instruction>): Scene => ({
    ...scene,
    instructions: scene.instructions.toSpliced(index, 1, {
      ...scene.instructions[index]!,
      ...change(scene.instructions[index]!),
    }),
  });
  const data = (...bytes: number[]) => ({ data: Uint8Array.from(bytes) });
  const longer = ({ data: bytes }: Instruction) => ({ data: Uint8Array.from([...bytes, 0]) });
  const withAccount = (place: number) => (instruction: Instruction) => ({
    accounts: instruction.accounts.with(place, other),
  });
  const fewer = ({ accounts }: Instruction) => ({ accounts: accounts.slice(0, -1) });
  const more = ({ accounts }: Instruction) => ({ accounts: [...accounts, other] });
  const signedBy = (place: number) => (instruction: Instruction) => ({
    accounts: instruction.accounts.with(place, writableSigner(other.address)),
  });
  const CREATION = 'INSTRUCTION: only the idempotent creation of a token account is accepted';
  const PLAIN = 'INSTRUCTION: the system program is accepted for plain transfers only';
  const LISTED = 'INSTRUCTION: a token instruction that is not on the list';

  it.each<[string, Scene, Address?]>([
    [CREATION, changed(buy(own), 0, () => data(0))],
    [CREATION, changed(buy(own), 0, () => data(1, 0))],
    [CREATION, changed(buy(own), 0, fewer)],
    ['MINT: the token account is of another mint', changed(buy(own), 0, withAccount(3))],
    ['PROGRAM: token account of another program', changed(buy(own), 0, withAccount(4))],
    ['PROGRAM: token account of another program', changed(buy(own), 0, withAccount(5))],
    [
      'INSTRUCTION: too many token accounts would be created',
      { ...buy(own), instructions: [buy(own).instructions[0]!, ...buy(own).instructions] },
    ],
    [
      'INSTRUCTION: a second transfer leaves the wallet',
      {
        ...buy(own),
        policy: { ...buy(own).policy, maxLamportsOut: String(3n * SPEND) },
        instructions: [buy(own).instructions[1]!, ...buy(own).instructions],
      },
    ],
    [PLAIN, changed(buy(own), 1, longer)],
    [PLAIN, changed(buy(own), 1, more)],
    [PLAIN, changed(buy(own), 1, ({ data: bytes }) => ({ data: bytes.with(0, 3) }))],
    [
      'INSTRUCTION: a buy closes no account',
      { ...buy(own), instructions: [...buy(own).instructions, ...close(own).instructions] },
    ],
    ['INSTRUCTION: closing takes three accounts', changed(close(own), 0, fewer)],
    ['INSTRUCTION: somebody else closes an account', changed(soldAndClosed(), 2, withAccount(2))],
    ['MINT: an account of another mint', changed(close(own), 0, withAccount(0))],
    [LISTED, changed(close(own), 0, longer)],
    ['COUNTERPARTY: tokens come from somebody else than the pool', changed(boughtBack(), 2, withAccount(3))],
    [
      'INSTRUCTION: a transfer takes four accounts',
      changed(sell(own), 0, ({ accounts }) => ({ accounts: accounts.slice(0, 3) })),
    ],
    ['DESTINATION: a transfer that is not ours', changed(sell(own), 1, withAccount(1))],
    [
      'INSTRUCTION: a withdrawal has one signer',
      changed(withdrawal(own), 0, ({ accounts }) => ({
        accounts: [accounts[0]!, { ...accounts[1]!, signer: true }] as never,
      })),
    ],
    ['DESTINATION: a transfer that is not ours', changed(commit(own, strategy, 5n), 0, withAccount(0))],
    [
      'INSTRUCTION: exactly one transfer must leave the wallet',
      { ...commit(own, strategy, 5n), instructions: [setComputeUnitLimit(5)] },
    ],
    [
      'DESTINATION: a transfer that is not ours',
      changed(returned(strategy, [{ to: own, lamports: 5n }]), 0, withAccount(0)),
      strategy,
    ],
    [CREATION, changed(inKind(), 0, () => data(0)), strategy],
    [CREATION, changed(inKind(), 0, () => data(1, 0)), strategy],
    [CREATION, changed(inKind(), 0, more), strategy],
    ['INSTRUCTION: somebody else pays for a token account', changed(inKind(), 0, withAccount(0)), strategy],
    ['DESTINATION: a token account that no transfer needs', changed(inKind(), 0, withAccount(3)), strategy],
    ['PROGRAM: not the system program', changed(inKind(), 0, withAccount(4)), strategy],
    ['DESTINATION: not the associated account', changed(inKind(), 0, withAccount(1)), strategy],
    [LISTED, changed(inKind(), 1, longer), strategy],
    [LISTED, changed(inKind(), 1, more), strategy],
    ['INSTRUCTION: somebody else sends tokens', changed(inKind(), 1, withAccount(3)), strategy],
    ['DESTINATION: tokens would go to somebody not named', changed(inKind(), 1, withAccount(1)), strategy],
    [
      'INSTRUCTION: a transfer that was named is missing',
      { ...inKind(), instructions: inKind().instructions.slice(0, 1) },
      strategy,
    ],
    [
      'INSTRUCTION: a transfer that was named is missing',
      { ...returned(strategy, [{ to: own, lamports: 5n }]), instructions: [setComputeUnitLimit(5)] },
      strategy,
    ],
    ['INSTRUCTION: a transfer between our wallets has one signer', changed(commit(own, strategy, 5n), 0, signedBy(1))],
  ])('is refused: %s', (reason, scene, by = own) => {
    expect(() => check(scene, by)).toThrow(reason);
  });

  it('counts no rent that somebody else pays, and none for an account that is there', () => {
    const paid = changed(buy(own), 0, ({ accounts }) => ({
      accounts: accounts.with(0, { ...accounts[0]!, address: pool.address }),
    }));
    expect(check(paid)).toMatchObject({ lamportsOut: SPEND + 10_000n });
    const scene = inKind();
    expect(check({ ...scene, instructions: scene.instructions.slice(1) }, strategy)).toEqual([0n]);
  });

  it('may sell and close its account, and set a limit of compute', () => {
    expect(check(soldAndClosed())).toMatchObject({ closed: 1, lamportsIn: SPEND });
    const limited = commit(own, strategy, 5n);
    expect(() =>
      check({ ...limited, instructions: [setComputeUnitLimit(5_000), ...limited.instructions] }),
    ).not.toThrow();
    const kind = inKind();
    expect(() =>
      check({ ...kind, instructions: [setComputeUnitLimit(5_000), ...kind.instructions] }, strategy),
    ).not.toThrow();
  });

  it('carries the memo of a swap once, without accounts', () => {
    const memo = { program: MEMO, accounts: [], ...data(...Buffer.from(`hunter:a1:${'x'.repeat(43)}`)) };
    const withMemos = (scene: Scene, ...memos: Instruction[]): Scene => ({
      ...scene,
      instructions: [...scene.instructions, ...memos],
    });
    expect(() => check(withMemos(buy(own), memo))).not.toThrow();
    const refused = 'a memo that is not the one of a swap';
    expect(() => check(withMemos(buy(own), memo, memo))).toThrow(refused);
    expect(() => check(withMemos(buy(own), { ...memo, accounts: [other] }))).toThrow(refused);
    expect(() => check(withMemos(buy(own), { ...memo, ...data(104) }))).toThrow(refused);
    expect(() => check(withMemos(withdrawal(own), memo))).toThrow(refused);
  });
});
