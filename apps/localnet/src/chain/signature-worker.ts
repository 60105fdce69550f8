// The thread that checks signatures, which takes longer than executing most transactions. It asks the same runtime that
// executes: an unknown blockhash ends its work right after the signatures.

import { parentPort } from 'node:worker_threads';
import { FailedTransactionMetadata, LiteSvm } from 'litesvm/dist/internal.js';
import { transactionErrorJson } from './transaction-error.ts';

/** Transactions one after the other, each as long as `lengths` says. */
export type SignatureRequest = { bytes: Uint8Array; lengths: Uint16Array };
/** One for each transaction, 1 where all its signatures are genuine. */
export type SignatureReply = Uint8Array | 'ready';

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker only');
const svm = new LiteSvm();
svm.setTransactionHistory(0n);
svm.setBlockhashCheck(true);
svm.setSigverify(true);

function isGenuine(wire: Uint8Array): boolean {
  const result = svm.simulateVersionedTransaction(wire);
  return !(result instanceof FailedTransactionMetadata && transactionErrorJson(result.err()) === 'SignatureFailure');
}

port.on('message', ({ bytes, lengths }: SignatureRequest) => {
  const genuine = new Uint8Array(lengths.length);
  let at = 0;
  lengths.forEach((length, i) => {
    genuine[i] = isGenuine(bytes.subarray(at, at + length)) ? 1 : 0;
    at += length;
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(genuine satisfies SignatureReply);
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
port.postMessage('ready' satisfies SignatureReply);
