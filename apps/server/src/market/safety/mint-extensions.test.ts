import { expect, it } from 'vitest';
import { readExtensions } from './mint-extensions.ts';

const AUTHORITY = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

// As a node's `jsonParsed` encoding prints them.
it.each([
  [
    'a transfer fee that can be raised',
    'transferFeeConfig',
    {
      transferFeeConfigAuthority: AUTHORITY,
      olderTransferFee: { transferFeeBasisPoints: 100 },
      newerTransferFee: { transferFeeBasisPoints: 300 },
    },
    { kind: 'transfer-fee', feeBps: 300, canChange: true },
  ],
  [
    'a transfer fee that is fixed',
    'transferFeeConfig',
    { transferFeeConfigAuthority: null, newerTransferFee: { transferFeeBasisPoints: 0 } },
    { kind: 'transfer-fee', feeBps: 0, canChange: false },
  ],
  ['a delegate over every account', 'permanentDelegate', { delegate: AUTHORITY }, { kind: 'permanent-delegate' }],
  [
    'a delegate that is nobody',
    'permanentDelegate',
    { delegate: null },
    { kind: 'harmless', name: 'permanentDelegate' },
  ],
  [
    'a hook that runs',
    'transferHook',
    { programId: AUTHORITY, authority: null },
    { kind: 'transfer-hook', active: true },
  ],
  [
    'a hook that may be set later',
    'transferHook',
    { programId: null, authority: AUTHORITY },
    { kind: 'transfer-hook', active: true },
  ],
  [
    'a hook nobody can set',
    'transferHook',
    { programId: null, authority: null },
    { kind: 'transfer-hook', active: false },
  ],
  ['accounts that begin frozen', 'defaultAccountState', { accountState: 'frozen' }, { kind: 'default-frozen' }],
  [
    'accounts that begin open',
    'defaultAccountState',
    { accountState: 'initialized' },
    { kind: 'harmless', name: 'defaultAccountState' },
  ],
  ['tokens that cannot be passed on', 'nonTransferable', {}, { kind: 'non-transferable' }],
  [
    'a switch that stops all transfers',
    'pausableConfig',
    { authority: AUTHORITY, paused: false },
    { kind: 'pausable' },
  ],
  ['its own metadata', 'tokenMetadata', { name: 'Frog' }, { kind: 'harmless', name: 'tokenMetadata' }],
  [
    'a pointer to metadata',
    'metadataPointer',
    { metadataAddress: AUTHORITY },
    { kind: 'harmless', name: 'metadataPointer' },
  ],
  [
    'interest that is only shown',
    'interestBearingConfig',
    { currentRate: 5 },
    { kind: 'harmless', name: 'interestBearingConfig' },
  ],
])('reads %s', (_name, extension, state, expected) => {
  expect(readExtensions([{ extension, state }])).toEqual([expected]);
});

it.each([
  ['an extension of the future', [{ extension: 'somethingNew', state: {} }]],
  ['an entry that is no extension', [null]],
  ['a list that is none', 'extensions'],
  ['what the node could not parse', [{ extension: 'unparseableExtension' }]],
])('calls %s unreadable, never safe', (_name, parsed) => {
  expect(readExtensions(parsed)).toEqual([{ kind: 'unreadable', type: -1 }]);
});

it('finds none where the mint has none', () => {
  expect(readExtensions(undefined)).toEqual([]);
});
