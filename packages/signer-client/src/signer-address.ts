import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';

/**
 * A path, `unix:/path`, or `tls://host:port`, for which the folder has `cert.pem`, `key.pem` and `ca.pem`. These are read once: whoever can
 * exchange the files later must not exchange the signer.
 */
export function connectorTo(address: string, tlsFolder: string | undefined): () => Socket {
  if (!address.startsWith('tls://')) return () => connect(address.replace(/^unix:/, ''));
  if (tlsFolder === undefined) throw new Error('SIGNER_TLS_DIR must be set where the signer is reached over TLS');
  const [cert, key, ca] = ['cert.pem', 'key.pem', 'ca.pem'].map((file) => readFileSync(join(tlsFolder, file)));
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { validToDate } = new X509Certificate(cert!);
  return () => {
    // The signer would close the connection without a word.
    if (validToDate.getTime() < Date.now()) {
      const words = `${join(tlsFolder, 'cert.pem')} expired on ${validToDate.toISOString()}: exchange it and start again`;
      return new Socket().destroy(new Error(words));
    }
    return connectTls({ host, port: Number(port), cert, key, ca, minVersion: 'TLSv1.3' });
  };
}
