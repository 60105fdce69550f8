import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressFromBytes } from './address.ts';
import { TOKEN_PROGRAM } from './program-ids.ts';
import { decodeTokenAccount, isOwnedBy } from './token-account.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

it('reads mint, owner and amount of a token account, and tells its owner from others', () => {
  fc.assert(
    fc.property(key, key, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (mint, owner, amount) => {
      const data = new Uint8Array(165);
      data.set(mint);
      data.set(owner, 32);
      new DataView(data.buffer).setBigUint64(64, amount, true);
      const account = { lamports: 1n, owner: TOKEN_PROGRAM, data, executable: false };
      const read = { mint: addressFromBytes(mint), owner: addressFromBytes(owner), amount };
      expect(decodeTokenAccount(account)).toEqual(read);
      expect(isOwnedBy(account, read.owner)).toBe(true);
      expect(isOwnedBy(account, addressFromBytes(owner.with(31, owner[31]! ^ 1)))).toBe(false);
    }),
  );
});
