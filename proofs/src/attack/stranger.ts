import { address, addressBytes, type Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Instruction } from '@hunter/solana/instruction';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { createAssociatedTokenAccountIdempotent } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { type ProductUser, until } from '../../../scripts/product-client.ts';
import { askAgain, insistAgain } from './ask-again.ts';
import { fundedUser } from './funded-user.ts';
import type { Scenes } from './scenes.ts';

// Plays a stranger who sends things nobody asked for, offers addresses that swallow money, and looks like somebody else.

export async function playStranger(scenes: Scenes, web: string, rpc: RpcClient): Promise<void> {
  const user = await fundedUser(web, 'stranger');
  await dust(scenes, web, rpc, user);
  await spamTokens(scenes, web, rpc, user);
  await oddDestinations(scenes, web, user);
  await lookAlikes(scenes, web, user);
}

async function dust(scenes: Scenes, web: string, rpc: RpcClient, user: ProductUser): Promise<void> {
  const before = await accountOf(web, user);
  await rpc.requestAirdrop(address(user.address), 1n);
  const after = await until(async () => {
    const now = await accountOf(web, user);
    return now.balance !== before.balance && now;
  }, 'one lamport to be credited');
  scenes.note('one lamport', `${before.balance} → ${after.balance} SOL`, after.equity !== null);
}

/** A mint of his own: its tokens in the wallet's own account, and in an account of his that he hands over. */
async function spamTokens(scenes: Scenes, web: string, rpc: RpcClient, user: ProductUser): Promise<void> {
  const stranger = Keypair.generate();
  await rpc.requestAirdrop(stranger.address, 1_000_000_000n);
  await until(async () => (await rpc.getBalance(stranger.address, 'confirmed')).value > 0n, 'money of the stranger');
  const [mint, account] = [Keypair.generate(), Keypair.generate()];
  const owner = address(user.address);
  const { blockhash } = await rpc.getLatestBlockhash();
  const message = compileMessage({
    version: 0,
    feePayer: stranger.address,
    recentBlockhash: blockhash,
    instructions: [
      createAccount(stranger.address, mint.address, 1_461_600n, 82),
      onToken([mint.address], [], [20, 6, ...addressBytes(stranger.address), 0]),
      createAssociatedTokenAccountIdempotent({ payer: stranger.address, owner, mint: mint.address }),
      mintTo(mint.address, associatedTokenAddress(owner, mint.address), stranger.address),
      createAccount(stranger.address, account.address, 2_039_280n, 165),
      onToken([account.address, mint.address], [], [18, ...addressBytes(stranger.address)]),
      mintTo(mint.address, account.address, stranger.address),
      // Kind 2 is the owner of an account.
      onToken([account.address], [stranger.address], [6, 2, 1, ...addressBytes(owner)]),
    ],
  });
  const signed = signTransaction(transactionFromMessage(message), [stranger, mint, account]);
  await rpc.sendTransaction(encodeTransaction(signed));
  const { token } = user;
  const mine = async () =>
    (
      (await insistAgain(web, 'getMyPositions', { tokenContractAddress: mint.address }, { token })) as {
        lists: { amount: string }[];
      }
    ).lists;
  const [position] = await until(async () => {
    const rows = await mine();
    return rows.length > 0 && rows;
  }, 'the spam token');
  // Nobody lists it, so how it is to be written is not known either.
  scenes.note('a token of his own', 'shown, its amount unknown', position!.amount === null);
  const { equity, totalReturnRate } = await accountOf(web, user);
  scenes.note('… leaves equity and return known', `${equity} SOL, ${totalReturnRate} %`, equity !== null);
  const foreign = await until(async () => {
    const { lists } = (await insistAgain(web, 'getMyForeignAccounts', {}, { token })) as {
      lists: { address: string }[];
    };
    return lists.length > 0 && lists;
  }, 'the account that was handed over');
  const isListed = foreign.some((row) => row.address === account.address);
  scenes.note('an account that he hands over', 'listed as not counted', isListed && (await mine()).length === 1);
  const sale = { tokenContractAddress: mint.address };
  await scenes.call('… and nothing of it is sold', 'tokenClose', sale, { token }, null);
  await scenes.call(
    'the owner hides the token',
    'hideToken',
    { tokenContractAddress: mint.address, hidden: true },
    { token },
    'done',
  );
  const { lists: shown } = (await insistAgain(web, 'getMyPositions', {}, { token })) as { lists: unknown[] };
  scenes.note('… and no longer sees it', `${shown.length} positions`, shown.length === 0);
}

async function oddDestinations(
  scenes: Scenes,
  web: string,
  { token, password, address: own }: ProductUser,
): Promise<void> {
  const odd = {
    'the incinerator': '1nc1nerator11111111111111111111111111111111',
    'the system program': SYSTEM_PROGRAM,
    'the token program': TOKEN_PROGRAM,
    'a sysvar': 'SysvarRent111111111111111111111111111111111',
    'the mint of wrapped SOL': 'So11111111111111111111111111111111111111112',
    'the own wallet': own,
  };
  for (const [name, toWallet] of Object.entries(odd)) {
    const wanted = { toWallet, amount: '0.1', password };
    await scenes.call(`withdraw to ${name}`, 'withdrawal', wanted, { token }, null);
  }
}

/** The Kelvin sign lowers to k: an address that looks like another's must not get the other's codes. */
async function lookAlikes(scenes: Scenes, web: string, user: ProductUser): Promise<void> {
  const { email } = await fundedUser(web, 'kay');
  const kelvin = email.replace('kay', '\u212aay');
  await askAgain(web, 'sendEmailCode', { email: kelvin, purpose: 'reset' });
  const { lists } = (await insistAgain(web, 'mailbox', { email })) as { lists: { to?: string }[] };
  const strayed = lists.filter(({ to }) => to !== undefined && to !== email);
  scenes.note('a code for a look-alike address', `${strayed.length} mails to it`, strayed.length === 0);
  const names = {
    'a right-to-left override': 'Alpha\u202eahplA',
    'zero-width letters': 'Al\u200bpha',
    'a control character': 'Al\u0007pha',
  };
  for (const [what, name] of Object.entries(names)) {
    const wanted = { name, capital: '1', coins: [], autoClear: true };
    await scenes.call(`a strategy named with ${what}`, 'createStrategy', wanted, { token: user.token }, null);
  }
}

type Account = { balance: string; equity: string | null; totalReturnRate: string | null };

async function accountOf(web: string, { token }: ProductUser): Promise<Account> {
  return (await insistAgain(web, 'getMyAccount', {}, { token })) as Account;
}

function createAccount(payer: Address, made: Address, lamports: bigint, bytes: number): Instruction {
  const data = Buffer.alloc(52);
  data.writeBigUInt64LE(lamports, 4);
  data.writeBigUInt64LE(BigInt(bytes), 12);
  data.set(addressBytes(TOKEN_PROGRAM), 20);
  const accounts = [payer, made].map((one) => ({ address: one, signer: true, writable: true }));
  return { program: SYSTEM_PROGRAM, accounts, data };
}

function mintTo(mint: Address, to: Address, authority: Address): Instruction {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(5_000_000n);
  return onToken([mint, to], [authority], [7, ...amount]);
}

function onToken(writable: readonly Address[], signers: readonly Address[], data: readonly number[]): Instruction {
  return {
    program: TOKEN_PROGRAM,
    accounts: [
      ...writable.map((one) => ({ address: one, signer: false, writable: true })),
      ...signers.map((one) => ({ address: one, signer: true, writable: false })),
    ],
    data: Uint8Array.from(data),
  };
}
