// Token-2022 extensions as Solana's nodes print them: `{ extension, state }` for each entry after the fixed head.

import { base64 } from './base64.ts';
import { AccountReader } from './account-reader.ts';
import { jsonInteger } from './json-number.ts';

const HEAD_BYTES = 166;

function transferFee(cursor: AccountReader): object {
  return {
    epoch: jsonInteger(cursor.u64()),
    maximumFee: jsonInteger(cursor.u64()),
    transferFeeBasisPoints: cursor.u16(),
  };
}

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'];

type ExtensionReader = { name: string; read: ((cursor: AccountReader) => object) | null };

// By extension number. A reader of null marks an extension that has no fields of its own.
const EXTENSIONS: Record<number, ExtensionReader> = {
  1: {
    name: 'transferFeeConfig',
    read: (cursor) => ({
      transferFeeConfigAuthority: cursor.nonZeroAddress(),
      withdrawWithheldAuthority: cursor.nonZeroAddress(),
      withheldAmount: jsonInteger(cursor.u64()),
      olderTransferFee: transferFee(cursor),
      newerTransferFee: transferFee(cursor),
    }),
  },
  2: { name: 'transferFeeAmount', read: (cursor) => ({ withheldAmount: jsonInteger(cursor.u64()) }) },
  3: { name: 'mintCloseAuthority', read: (cursor) => ({ closeAuthority: cursor.nonZeroAddress() }) },
  4: {
    name: 'confidentialTransferMint',
    read: (cursor) => ({
      authority: cursor.nonZeroAddress(),
      autoApproveNewAccounts: cursor.u8() === 1,
      auditorElgamalPubkey: optionalBase64(cursor.take(32)),
    }),
  },
  6: {
    name: 'defaultAccountState',
    read: (cursor) => ({ accountState: ACCOUNT_STATES[cursor.u8()] ?? 'uninitialized' }),
  },
  7: { name: 'immutableOwner', read: null },
  8: { name: 'memoTransfer', read: (cursor) => ({ requireIncomingTransferMemos: cursor.u8() === 1 }) },
  9: { name: 'nonTransferable', read: null },
  10: {
    name: 'interestBearingConfig',
    read: (cursor) => ({
      rateAuthority: cursor.nonZeroAddress(),
      initializationTimestamp: jsonInteger(cursor.i64()),
      preUpdateAverageRate: cursor.i16(),
      lastUpdateTimestamp: jsonInteger(cursor.i64()),
      currentRate: cursor.i16(),
    }),
  },
  11: { name: 'cpiGuard', read: (cursor) => ({ lockCpi: cursor.u8() === 1 }) },
  12: { name: 'permanentDelegate', read: (cursor) => ({ delegate: cursor.nonZeroAddress() }) },
  13: { name: 'nonTransferableAccount', read: null },
  14: {
    name: 'transferHook',
    read: (cursor) => ({ authority: cursor.nonZeroAddress(), programId: cursor.nonZeroAddress() }),
  },
  15: { name: 'transferHookAccount', read: (cursor) => ({ transferring: cursor.u8() === 1 }) },
  18: {
    name: 'metadataPointer',
    read: (cursor) => ({ authority: cursor.nonZeroAddress(), metadataAddress: cursor.nonZeroAddress() }),
  },
  19: { name: 'tokenMetadata', read: tokenMetadata },
  20: {
    name: 'groupPointer',
    read: (cursor) => ({ authority: cursor.nonZeroAddress(), groupAddress: cursor.nonZeroAddress() }),
  },
  21: {
    name: 'tokenGroup',
    read: (cursor) => ({
      updateAuthority: cursor.nonZeroAddress(),
      mint: cursor.address(),
      size: jsonInteger(cursor.u64()),
      maxSize: jsonInteger(cursor.u64()),
    }),
  },
  22: {
    name: 'groupMemberPointer',
    read: (cursor) => ({ authority: cursor.nonZeroAddress(), memberAddress: cursor.nonZeroAddress() }),
  },
  23: {
    name: 'tokenGroupMember',
    read: (cursor) => ({ mint: cursor.address(), group: cursor.address(), memberNumber: jsonInteger(cursor.u64()) }),
  },
  25: {
    name: 'scaledUiAmountConfig',
    read: (cursor) => ({
      authority: cursor.nonZeroAddress(),
      multiplier: String(cursor.f64()),
      newMultiplierEffectiveTimestamp: jsonInteger(cursor.i64()),
      newMultiplier: String(cursor.f64()),
    }),
  },
  26: { name: 'pausableConfig', read: (cursor) => ({ authority: cursor.nonZeroAddress(), paused: cursor.u8() === 1 }) },
  27: { name: 'pausableAccount', read: null },
};

function optionalBase64(bytes: Uint8Array): string | null {
  return bytes.every((byte) => byte === 0) ? null : base64(bytes);
}

function tokenMetadata(cursor: AccountReader): object {
  const updateAuthority = cursor.nonZeroAddress();
  const mint = cursor.address();
  const name = cursor.text();
  const symbol = cursor.text();
  const uri = cursor.text();
  const additionalMetadata: [string, string][] = [];
  for (let count = cursor.u32(); count > 0; count -= 1) additionalMetadata.push([cursor.text(), cursor.text()]);
  return { updateAuthority, mint, name, symbol, uri, additionalMetadata };
}

/** The entries in order; one that cannot be read is named so rather than left out. */
export function parseExtensions(data: Uint8Array): object[] {
  const entries: object[] = [];
  const cursor = new AccountReader(data, Math.min(HEAD_BYTES, data.length));
  while (cursor.left >= 4) {
    const kind = cursor.u16();
    const length = cursor.u16();
    if (kind === 0 || length > cursor.left) break;
    const body = cursor.take(length);
    const reader = EXTENSIONS[kind];
    if (reader === undefined) {
      entries.push({ extension: 'unparseableExtension' });
      continue;
    }
    try {
      entries.push(
        reader.read === null
          ? { extension: reader.name }
          : { extension: reader.name, state: reader.read(new AccountReader(body)) },
      );
    } catch {
      entries.push({ extension: 'unparseableExtension' });
    }
  }
  return entries;
}
