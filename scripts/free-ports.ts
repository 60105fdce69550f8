/** For the tests and proofs of every package; two in a row, because the localnet takes its own and the next. */
export { freePortPair } from '../apps/launcher/src/free-port.ts';
