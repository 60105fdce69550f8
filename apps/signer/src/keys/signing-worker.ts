import { sign } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { type Denial, Denied } from '../denial.ts';
import { SealedKeyVault } from './sealed-key.ts';
import { KeyRing } from './key-ring.ts';
import { type FromWorker, type SigningJob, type ToWorker, unpackJobs } from './signing-job.ts';

// Opens a sealed key, signs what was already checked, wipes, and knows nothing else. Bytes travel as latin1 text: a
// view into a shared buffer would be cloned with everything around it.

const { environment } = workerData as { environment: string };
const ring = new KeyRing();
const vault = new SealedKeyVault(ring, environment);

parentPort!.on('message', (message: ToWorker) => {
  if ('keys' in message) {
    ring.replace(message.keys);
    return;
  }
  const reply: FromWorker = { group: message.group, results: unpackJobs(message.jobs).map(signOne) };
  parentPort!.postMessage(reply, []);
});

function signOne({ owner, sealedKey, message }: SigningJob): string | { denied: Denial } {
  try {
    const key = vault.openKey(owner, sealedKey);
    return sign(null, Buffer.from(message, 'latin1'), key).toString('latin1');
  } catch (error) {
    if (error instanceof Denied) return { denied: error.denial };
    throw error;
  }
}
