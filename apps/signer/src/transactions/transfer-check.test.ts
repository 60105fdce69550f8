import type { Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { describe, expect, it } from 'vitest';
import { checkScene, reasonsOf } from '../fixtures/check-scene.ts';
import { attacksOnTransfers } from '../fixtures/hostile-transfers.ts';
import { commit, mint, returned } from '../fixtures/transaction-scenes.ts';

const own = Keypair.generate().address;

const ATTACKS_ON_TRANSFERS: Record<string, readonly string[]> = {
  'a commit to somebody who is no strategy wallet of the register': [],
  'a commit that pays somebody else than it names': ['DESTINATION: the transfer goes elsewhere'],
  'a commit of another amount than it names': ['AMOUNT: the transfer is not the amount of the commit'],
  'a commit or return by a wallet of the other kind': [],
  'a return to somebody who never committed to this wallet': [],
  'a return that pays somebody else than it names': ['DESTINATION: a transfer to somebody not named'],
  'a return of another amount than it names': [
    'AMOUNT: the tokens are not the amount named',
    'AMOUNT: the transfer is not the amount named',
  ],
  'a return that leaves out what it names': [
    'INSTRUCTION: a transfer that was named is missing',
    'POLICY_INVALID: the same receiver twice',
  ],
  'a hidden second transfer': [
    'AMOUNT: the transfer is not the amount named',
    'DESTINATION: a transfer to somebody not named',
    'DESTINATION: the transfer goes elsewhere',
    'INSTRUCTION: a second transfer to the same wallet',
  ],
  'a hidden second token transfer': [
    'DESTINATION: tokens would go to somebody not named',
    'PROGRAM: a commit is one system transfer',
  ],
  'tokens sent by another way than named': [
    'DESTINATION: tokens would go to somebody not named',
    'INSTRUCTION: a token instruction that is not on the list',
    'MINT: tokens from another account',
    'PROGRAM: the other token program',
  ],
  'a token account that nobody named is made for': [
    'DESTINATION: a token account that no transfer needs',
    'PROGRAM: a commit is one system transfer',
  ],
  'authority over tokens or the wallet given away': [
    'INSTRUCTION: a token instruction that is not on the list',
    'INSTRUCTION: the system program is accepted for plain transfers only',
    'PROGRAM: a commit is one system transfer',
  ],
  'another fee payer, a further signer or a ruinous fee': [
    'AMOUNT: the network fee is beyond its ceiling',
    'FEE_PAYER: the wallet itself must pay the fee',
    'INSTRUCTION: a transfer between our wallets has one signer',
  ],
  'a receiver hidden in a lookup table': ['LOOKUP_TABLE: lookup tables are not accepted'],
  'a policy that is none': [
    'POLICY_INVALID: a return of nothing',
    'POLICY_INVALID: legs has no objects',
    'POLICY_INVALID: legs is no list',
    'POLICY_INVALID: the same receiver twice',
  ],
  'a transaction of one kind under the policy of another': [
    'INSTRUCTION: a sale sends no lamports',
    'INSTRUCTION: a token instruction that is not on the list',
    'INSTRUCTION: a withdrawal of SOL moves no tokens',
  ],
};

describe('an attack on transfers between wallets', () => {
  const [stranger, strategy, otherStrategy] = [1, 2, 3].map(() => Keypair.generate().address) as [
    Address,
    Address,
    Address,
  ];
  const parties = { person: own, stranger, strategy, otherStrategy };
  const attacks = attacksOnTransfers(parties);

  it('stands in the list of reasons', () => {
    expect(Object.keys(attacks)).toEqual(Object.keys(ATTACKS_ON_TRANSFERS));
  });

  it.each(Object.entries(ATTACKS_ON_TRANSFERS))('is refused for what it is: %s', (name, reasons) => {
    const attack = (seed: number) => {
      const { by, scene } = attacks[name]!(seed);
      return { scene, by: parties[by] };
    };
    expect(reasonsOf(6, attack)).toEqual(reasons);
  });

  it('costs no rent of its own where nobody needs a new token account', () => {
    const legs = [{ to: own, lamports: 5n }];
    expect(checkScene(returned(strategy, legs), strategy)).toEqual([]);
    expect(checkScene(commit(own, strategy, 5n), own)).toBeUndefined();
    expect(checkScene(returned(strategy, legs, [{ to: own, mint, amount: 10n }]), strategy)).toEqual([2_039_280n]);
  });
});
