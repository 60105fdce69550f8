import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/bootstrap.mjs';

/** The operators' file, with a certificate that signs itself in the folder. */
export function haproxyConfig(folder: string): string {
  const pem = join(folder, 'hunter.pem');
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  const { status, stderr } = spawnSync('openssl', ['req', ...kind, '-keyout', pem, '-out', `${pem}.crt`]);
  if (status !== 0) throw new Error(`openssl made no certificate: ${String(stderr)}`);
  writeFileSync(pem, readFileSync(pem, 'utf8') + readFileSync(`${pem}.crt`, 'utf8'));
  const text = readFileSync(join(root, 'deploy', 'haproxy', 'haproxy.cfg'), 'utf8');
  return text.replaceAll('/etc/haproxy/certificates/hunter.pem', pem);
}
