import { fail, openSigner, say } from './connection.ts';
import { wordsOf } from '../apps/server/src/platform/words-of.ts';

// Makes a standby the active signer. SIGNER_SOCKET and SIGNER_OPERATOR_TOKEN are those of the standby.
if (process.argv.slice(2).join(' ') !== '--standby') {
  fail('Usage: SIGNER_SOCKET=… SIGNER_OPERATOR_TOKEN=… npm run signer-promote -- --standby');
}
const signer = openSigner();
const { epoch } = await signer.promote().catch((error: Error & { code?: string }) =>
  // Only a standby knows the method.
  fail(error.code === 'UNKNOWN_METHOD' ? 'This signer is no standby, so nothing was promoted.' : wordsOf(error)),
);
signer.close();
say(
  `This signer is active, in epoch ${epoch}. The former one signs nothing any more. Point the servers' SIGNER_SOCKET here.`,
);
