import { type Address, addressBytes, addressFromBytes } from '@hunter/solana/address';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';

// Token and Token-2022 share the first 165 bytes of an account and the first 82 of a mint. Token-2022 then pads to 165,
// names the kind of account in one byte and appends extensions as type (u16), length (u16), value.
const BASE_LENGTH = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;
const EXTENSION = {
  transferFeeConfig: 1,
  transferFeeAmount: 2,
  defaultAccountState: 6,
  immutableOwner: 7,
  permanentDelegate: 12,
  metadataPointer: 18,
  tokenMetadata: 19,
} as const;
const STATE_INITIALIZED = 1;
const STATE_FROZEN = 2;

export type MintExtensions = {
  transferFee?: { basisPoints: number; maximum: bigint; authority: Address };
  permanentDelegate?: Address;
  frozenByDefault?: boolean;
  metadata?: { updateAuthority: Address | null; mint: Address; name: string; symbol: string; uri: string };
};

type MintState = {
  supply: bigint;
  decimals: number;
  mintAuthority: Address | null;
  freezeAuthority: Address | null;
  extensions: MintExtensions;
};

type TokenAccountState = { mint: Address; owner: Address; amount: bigint; frozen: boolean };

export function encodeMint(tokenProgram: Address, mint: MintState): Uint8Array {
  const base = Buffer.alloc(82);
  writeOptionalAddress(base, 0, mint.mintAuthority);
  base.writeBigUInt64LE(mint.supply, 36);
  base[44] = mint.decimals;
  base[45] = 1;
  writeOptionalAddress(base, 46, mint.freezeAuthority);
  if (tokenProgram === TOKEN_PROGRAM) return new Uint8Array(base);
  const entries = mintExtensionEntries(mint.extensions);
  if (entries.length === 0) return new Uint8Array(base);
  const padding = Buffer.alloc(BASE_LENGTH - 82);
  return new Uint8Array(Buffer.concat([base, padding, Uint8Array.of(KIND_MINT), ...entries]));
}

export function mintDataLength(tokenProgram: Address, extensions: MintExtensions): number {
  const state = { supply: 0n, decimals: 0, mintAuthority: null, freezeAuthority: null, extensions };
  return encodeMint(tokenProgram, state).length;
}

/** The length of the account that the associated token program creates for this mint. */
export function tokenAccountLength(tokenProgram: Address, extensions: MintExtensions): number {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return BASE_LENGTH;
  return BASE_LENGTH + 1 + 4 + (extensions.transferFee === undefined ? 0 : 12);
}

export function encodeTokenAccount(
  tokenProgram: Address,
  extensions: MintExtensions,
  account: TokenAccountState & { withheld?: bigint },
): Uint8Array {
  const data = Buffer.alloc(tokenAccountLength(tokenProgram, extensions));
  data.set(addressBytes(account.mint), 0);
  data.set(addressBytes(account.owner), 32);
  data.writeBigUInt64LE(account.amount, 64);
  data[108] = account.frozen ? STATE_FROZEN : STATE_INITIALIZED;
  if (data.length > BASE_LENGTH) {
    data[BASE_LENGTH] = KIND_ACCOUNT;
    data.writeUInt16LE(EXTENSION.immutableOwner, 166);
    if (extensions.transferFee !== undefined) {
      data.writeUInt16LE(EXTENSION.transferFeeAmount, 170);
      data.writeUInt16LE(8, 172);
      data.writeBigUInt64LE(account.withheld ?? 0n, 174);
    }
  }
  return new Uint8Array(data);
}

export function decodeTokenAccount(data: Uint8Array): TokenAccountState | null {
  if (data.length < BASE_LENGTH || data[108] === 0) return null;
  if (data.length > BASE_LENGTH && data[BASE_LENGTH] !== KIND_ACCOUNT) return null;
  return {
    mint: addressFromBytes(data.subarray(0, 32)),
    owner: addressFromBytes(data.subarray(32, 64)),
    amount: tokenAmountOf(data),
    frozen: data[108] === STATE_FROZEN,
  };
}

/** Only the balance: pools are read far more often than anything else of an account is needed. */
export function tokenAmountOf(data: Uint8Array): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(64, true);
}

/** Transfer fees kept back inside an account, which belong to nobody's balance but still to the supply. */
export function withheldAmountOf(data: Uint8Array): bigint {
  const hasFee = data.length >= 182 && data[170] === EXTENSION.transferFeeAmount;
  return hasFee ? new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(174, true) : 0n;
}

/** Rounds up and is capped, as the program does. */
export function transferFeeOf(extensions: MintExtensions, amount: bigint): bigint {
  const fee = extensions.transferFee;
  if (fee === undefined || fee.basisPoints === 0 || amount === 0n) return 0n;
  const raw = (amount * BigInt(fee.basisPoints) + 9_999n) / 10_000n;
  return raw < fee.maximum ? raw : fee.maximum;
}

function mintExtensionEntries(extensions: MintExtensions): Buffer[] {
  const entries: Buffer[] = [];
  const { transferFee, permanentDelegate, frozenByDefault, metadata } = extensions;
  if (transferFee !== undefined) {
    const value = Buffer.alloc(108);
    value.set(addressBytes(transferFee.authority), 0);
    value.set(addressBytes(transferFee.authority), 32);
    for (const offset of [72, 90]) {
      value.writeBigUInt64LE(transferFee.maximum, offset + 8);
      value.writeUInt16LE(transferFee.basisPoints, offset + 16);
    }
    entries.push(entry(EXTENSION.transferFeeConfig, value));
  }
  if (frozenByDefault === true) entries.push(entry(EXTENSION.defaultAccountState, Buffer.of(STATE_FROZEN)));
  if (permanentDelegate !== undefined) {
    entries.push(entry(EXTENSION.permanentDelegate, Buffer.from(addressBytes(permanentDelegate))));
  }
  if (metadata !== undefined) {
    const authority = metadata.updateAuthority === null ? Buffer.alloc(32) : addressBytes(metadata.updateAuthority);
    const mint = addressBytes(metadata.mint);
    entries.push(entry(EXTENSION.metadataPointer, Buffer.concat([authority, mint])));
    const texts = [metadata.name, metadata.symbol, metadata.uri].map(lengthPrefixed);
    entries.push(entry(EXTENSION.tokenMetadata, Buffer.concat([authority, mint, ...texts, Buffer.alloc(4)])));
  }
  return entries;
}

function entry(type: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const head = Buffer.alloc(4);
  head.writeUInt32LE(bytes.length);
  return Buffer.concat([head, bytes]);
}

function writeOptionalAddress(target: Buffer, offset: number, address: Address | null): void {
  if (address === null) return;
  target.writeUInt32LE(1, offset);
  target.set(addressBytes(address), offset + 4);
}
