// LiteSVM alone: executes batches of transactions in a plain loop and answers with the milliseconds each took.

import { readFileSync } from 'node:fs';
import { address, addressBytes } from '@hunter/solana/address';
import { Account, LiteSvm, TransactionMetadata } from 'litesvm/dist/internal.js';

type LoopAccount = { address: string; lamports: string; owner: string; data: string };

const svm = new LiteSvm();
svm.setBlockhashCheck(false);
svm.setTransactionHistory(0n);
for (const entry of JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as LoopAccount[]) {
  const owner = addressBytes(address(entry.owner));
  const account = new Account(BigInt(entry.lamports), Buffer.from(entry.data, 'base64'), owner, false, 0n);
  svm.setAccount(addressBytes(address(entry.address)), account);
}

process.on('message', (texts: string[]) => {
  const wires = texts.map((text) => Buffer.from(text, 'base64'));
  const start = performance.now();
  for (const wire of wires) {
    const result = svm.sendVersionedTransaction(wire);
    if (!(result instanceof TransactionMetadata)) throw new Error(`a swap failed: ${result.toString()}`);
  }
  process.send?.(performance.now() - start);
});
process.send?.('ready');
