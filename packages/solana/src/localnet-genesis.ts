import { createHash } from 'node:crypto';
import { encodeBase58 } from './base58.ts';

/** What every Hunter localnet answers to getGenesisHash, whatever data it holds: the one chain this product trades on. */
export const LOCALNET_GENESIS_HASH = encodeBase58(createHash('sha256').update('Hunter localnet').digest());
