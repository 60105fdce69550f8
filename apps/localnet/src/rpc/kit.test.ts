// Kit's own helpers, unmodified, against the localnet.

import { getCreateAccountInstruction, getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import {
  fetchMint,
  fetchToken,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import {
  type Address,
  address,
  airdropFactory,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  compressTransactionMessageUsingAddressLookupTables,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  estimateResourceLimitsFactory,
  fetchAddressesForLookupTables,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getAddressEncoder,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestNode, type TestNode } from './node-for-test.ts';

let node: TestNode;
let rpc: ReturnType<typeof createSolanaRpc>;
let rpcSubscriptions: ReturnType<typeof createSolanaRpcSubscriptions>;
let payer: KeyPairSigner;

beforeAll(async () => {
  node = await startTestNode({ slotMs: 100 });
  rpc = createSolanaRpc(node.url);
  rpcSubscriptions = createSolanaRpcSubscriptions(node.wsUrl);
  payer = await generateKeyPairSigner();
  await airdrop(payer.address, 100_000_000_000n);
});

afterAll(() => node.close());

function airdrop(to: Address, amount: bigint) {
  return airdropFactory({ rpc, rpcSubscriptions } as never)({
    commitment: 'confirmed',
    lamports: lamports(amount),
    recipientAddress: to,
  });
}

async function messageOf(instructions: Instruction[]) {
  const { value: blockhash } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(blockhash, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  );
}

async function send(instructions: Instruction[]): Promise<string> {
  const transaction = await signTransactionMessageWithSigners(await messageOf(instructions));
  assertIsTransactionWithBlockhashLifetime(transaction);
  await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as never)(transaction, {
    commitment: 'confirmed',
  });
  return getSignatureFromTransaction(transaction);
}

function transfer(to: Address, amount: bigint): Instruction {
  return getTransferSolInstruction({ source: payer, destination: to, amount: lamports(amount) });
}

async function createMint(): Promise<{ mint: Address; token: Address }> {
  const mint = await generateKeyPairSigner();
  const space = BigInt(getMintSize());
  const rent = await rpc.getMinimumBalanceForRentExemption(space).send();
  const [token] = await findAssociatedTokenPda({
    mint: mint.address,
    owner: payer.address,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  await send([
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: rent,
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: payer.address }),
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata: token, owner: payer.address, mint: mint.address }),
    getMintToInstruction({ mint: mint.address, token, mintAuthority: payer, amount: 5_000_000n }),
  ]);
  return { mint: mint.address, token };
}

describe('kit against the localnet', () => {
  it('airdrops as a transaction that the receiver finds in its history', async () => {
    const receiver = await generateKeyPairSigner();
    const signature = await airdrop(receiver.address, 1_500_000_000n);
    const { value } = await rpc.getBalance(receiver.address, { commitment: 'confirmed' }).send();
    expect(value).toBe(1_500_000_000n);
    const history = await rpc.getSignaturesForAddress(receiver.address, { commitment: 'confirmed' }).send();
    expect(history.map((row) => row.signature)).toEqual([signature]);
  });

  it('sends and confirms a transfer and tells it in full', async () => {
    const receiver = await generateKeyPairSigner();
    const signature = await send([transfer(receiver.address, 2_000_000n)]);
    const found = await rpc
      .getTransaction(signature as never, {
        commitment: 'confirmed',
        encoding: 'jsonParsed',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(found?.meta?.fee).toBe(5000n);
    expect(found?.meta?.postBalances[1]).toBe(2_000_000n);
    expect(found?.transaction.message.instructions[0]).toMatchObject({
      program: 'system',
      parsed: { type: 'transfer', info: { lamports: 2_000_000n, destination: receiver.address } },
    });
  });

  it('waits for finality where that is asked for', async () => {
    const receiver = await generateKeyPairSigner();
    const transaction = await signTransactionMessageWithSigners(
      await messageOf([transfer(receiver.address, 1_000_000n)]),
    );
    assertIsTransactionWithBlockhashLifetime(transaction);
    await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as never)(transaction, {
      commitment: 'finalized',
    });
    const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
    expect(value[0]).toMatchObject({ confirmationStatus: 'finalized', confirmations: null, err: null });
  });

  it('estimates compute units by simulation', async () => {
    const receiver = await generateKeyPairSigner();
    const estimate = estimateResourceLimitsFactory({ rpc });
    const limits = await estimate((await messageOf([transfer(receiver.address, 1_000_000n)])) as never);
    expect((limits as { computeUnitLimit: number }).computeUnitLimit).toBeGreaterThan(0);
  });

  it('fetches mints and token accounts', async () => {
    const { mint, token } = await createMint();
    const mintAccount = await fetchMint(rpc, mint, { commitment: 'confirmed' });
    expect(mintAccount.data).toMatchObject({ supply: 5_000_000n, decimals: 6 });
    const tokenAccount = await fetchToken(rpc, token, { commitment: 'confirmed' });
    expect(tokenAccount.data).toMatchObject({ amount: 5_000_000n, owner: payer.address, mint });
    const { value: supply } = await rpc.getTokenSupply(mint, { commitment: 'confirmed' }).send();
    expect(supply).toMatchObject({ amount: '5000000', uiAmountString: '5' });
    const { value: largest } = await rpc.getTokenLargestAccounts(mint, { commitment: 'confirmed' }).send();
    expect(largest.map((row) => row.address)).toEqual([token]);
    const { value: owned } = await rpc
      .getTokenAccountsByOwner(payer.address, { mint }, { commitment: 'confirmed', encoding: 'jsonParsed' })
      .send();
    expect(owned[0]?.account.data.parsed.info.tokenAmount.uiAmountString).toBe('5');
  });

  it('reports token balances before and after', async () => {
    const { mint, token } = await createMint();
    const signature = await send([getMintToInstruction({ mint, token, mintAuthority: payer, amount: 1_000_000n })]);
    const found = await rpc
      .getTransaction(signature as never, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(found?.meta?.preTokenBalances?.[0]).toMatchObject({ mint, owner: payer.address });
    expect(found?.meta?.preTokenBalances?.[0]?.uiTokenAmount.amount).toBe('5000000');
    expect(found?.meta?.postTokenBalances?.[0]?.uiTokenAmount.amount).toBe('6000000');
  });

  it('creates, extends and uses a lookup table', async () => {
    const program = address('AddressLookupTab1e1111111111111111111111111');
    const recentSlot = await rpc.getSlot({ commitment: 'finalized' }).send();
    const slotBytes = new Uint8Array(8);
    new DataView(slotBytes.buffer).setBigUint64(0, recentSlot, true);
    const [table, bump] = await getProgramDerivedAddress({
      programAddress: program,
      seeds: [getAddressEncoder().encode(payer.address), slotBytes],
    });
    const receiver = await generateKeyPairSigner();
    const roles = { readonly: 0, writable: 1, signer: 2, writableSigner: 3 } as const;
    const accounts = [
      { address: table, role: roles.writable },
      { address: payer.address, role: roles.signer, signer: payer },
      { address: payer.address, role: roles.writableSigner, signer: payer },
      { address: SYSTEM_PROGRAM_ADDRESS, role: roles.readonly },
    ];
    const create = new Uint8Array(13);
    create.set(slotBytes, 4);
    create[12] = bump;
    const extend = new Uint8Array(4 + 8 + 32);
    extend[0] = 2;
    extend[4] = 1;
    extend.set(getAddressEncoder().encode(receiver.address), 12);
    await send([
      { programAddress: program, accounts, data: create },
      { programAddress: program, accounts, data: extend },
    ]);
    const tables = await fetchAddressesForLookupTables([table], rpc, { commitment: 'confirmed' });
    expect(tables[table]).toEqual([receiver.address]);
    // What a slot adds to a table can be used from the next slot on.
    const message = await messageOf([transfer(receiver.address, 3_000_000n)]);
    const compressed = compressTransactionMessageUsingAddressLookupTables(message, tables);
    const transaction = await signTransactionMessageWithSigners(compressed);
    assertIsTransactionWithBlockhashLifetime(transaction);
    await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as never)(transaction, {
      commitment: 'confirmed',
    });
    const found = await rpc
      .getTransaction(getSignatureFromTransaction(transaction), {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(found?.meta?.loadedAddresses).toEqual({ readonly: [], writable: [receiver.address] });
  });

  it('notifies of accounts and logs', async () => {
    const receiver = await generateKeyPairSigner();
    const abort = new AbortController();
    const changes = await rpcSubscriptions
      .accountNotifications(receiver.address, { commitment: 'confirmed', encoding: 'base64' })
      .subscribe({ abortSignal: abort.signal });
    const logs = await rpcSubscriptions
      .logsNotifications({ mentions: [receiver.address] }, { commitment: 'confirmed' })
      .subscribe({ abortSignal: abort.signal });
    // Kit keeps what arrives only for those who are waiting already.
    const nextChange = changes[Symbol.asyncIterator]().next();
    const nextLog = logs[Symbol.asyncIterator]().next();
    const signature = await send([transfer(receiver.address, 4_000_000n)]);
    expect((await nextChange).value?.value.lamports).toBe(4_000_000n);
    expect((await nextLog).value?.value).toMatchObject({ err: null, signature });
    abort.abort();
  });

  it('refuses a transfer that would fail, with the logs of its simulation', async () => {
    const poor = await generateKeyPairSigner();
    const instruction = getTransferSolInstruction({ source: poor, destination: payer.address, amount: 1n });
    const transaction = await signTransactionMessageWithSigners(await messageOf([instruction]));
    const failure: unknown = await rpc
      .sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' })
      .send()
      .catch((error: unknown) => error);
    expect(isSolanaError(failure, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
    expect((failure as { context: { logs: string[] } }).context.logs.length).toBeGreaterThan(0);
  });
});
