import { Keypair } from '@hunter/solana/keypair';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it } from 'vitest';
import { encodeMint, encodeTokenAccount } from '../venue/token-account-data.ts';
import { parseAccountData } from './parsed-account.ts';

const authority = Keypair.generate().address;
const mint = Keypair.generate().address;
const owner = Keypair.generate().address;

function account(program: string, data: Uint8Array) {
  return { lamports: 1_000_000n, owner: program, executable: false, data };
}

describe('parsed accounts', () => {
  it('tells the hostile extensions of a Token-2022 mint', () => {
    const data = encodeMint(TOKEN_2022_PROGRAM, {
      supply: 1_000n,
      decimals: 6,
      mintAuthority: authority,
      freezeAuthority: null,
      extensions: {
        transferFee: { basisPoints: 250, maximum: 10n ** 18n, authority },
        permanentDelegate: authority,
        frozenByDefault: true,
        metadata: { updateAuthority: null, mint, name: 'Name', symbol: 'SYM', uri: 'https://example.test/a' },
      },
    });
    const parsed = parseAccountData(account(TOKEN_2022_PROGRAM, data), () => null);
    expect(parsed).toMatchObject({
      program: 'spl-token-2022',
      parsed: { type: 'mint', info: { decimals: 6, supply: '1000', mintAuthority: authority, freezeAuthority: null } },
    });
    if (parsed === null) throw new Error('not parsed');
    const { extensions } = parsed.parsed.info as { extensions: { extension: string; state: object }[] };
    const states = Object.fromEntries(extensions.map(({ extension, state }) => [extension, state]));
    expect(states).toMatchObject({
      transferFeeConfig: { newerTransferFee: { transferFeeBasisPoints: 250 }, transferFeeConfigAuthority: authority },
      permanentDelegate: { delegate: authority },
      defaultAccountState: { accountState: 'frozen' },
      metadataPointer: { metadataAddress: mint, authority: null },
      tokenMetadata: { name: 'Name', symbol: 'SYM', updateAuthority: null },
    });
  });

  it('prints a token account with the decimals of its mint', () => {
    const state = { mint, owner, amount: 1_500_000n, frozen: false };
    const data = encodeTokenAccount(TOKEN_PROGRAM, {}, state);
    const mintState = { supply: 5n, decimals: 6, mintAuthority: null, freezeAuthority: null, extensions: {} };
    const mintAccount = account(TOKEN_PROGRAM, encodeMint(TOKEN_PROGRAM, mintState));
    const parsed = parseAccountData(account(TOKEN_PROGRAM, data), (address) => (address === mint ? mintAccount : null));
    expect(parsed).toMatchObject({
      program: 'spl-token',
      space: 165,
      parsed: {
        info: { mint, owner, state: 'initialized', tokenAmount: { amount: '1500000', uiAmountString: '1.5' } },
      },
    });
  });

  it('leaves what it does not know unparsed', () => {
    expect(parseAccountData(account(authority, new Uint8Array(165)), () => null)).toBeNull();
    expect(parseAccountData(account(TOKEN_PROGRAM, new Uint8Array(7)), () => null)).toBeNull();
    expect(parseAccountData(account(TOKEN_2022_PROGRAM, new Uint8Array(400)), () => null)).toBeNull();
  });
});
