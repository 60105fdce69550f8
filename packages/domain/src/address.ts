/** Base58 text of 32 bytes. The checked doors to the type are `address()` and `addressFromBytes()` of `@hunter/solana/address`. */
export type Address = string & { readonly brand: 'Address' };
