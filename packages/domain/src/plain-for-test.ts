import type { Address } from './address.ts';

/** The same shape with plain amounts and texts, so that a test's builder can be called with `5n` and `'mint'`. */
export type Plain<T> = T extends bigint
  ? bigint
  : T extends Address
    ? string
    : T extends readonly (infer Row)[]
      ? readonly Plain<Row>[]
      : T extends object
        ? { readonly [Key in keyof T]: Plain<T[Key]> }
        : T;
