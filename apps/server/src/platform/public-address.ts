import { lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Everything that is not the open internet: an address from a user must not make the server talk to its own neighbours. */
const forbidden = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  forbidden.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  forbidden.addSubnet(network, prefix, 'ipv6');
}

export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return isPublicAddress(mapped);
  const family = isIP(address);
  if (family === 0) return false;
  // An IPv4 address hidden in an IPv6 one in hexadecimal is refused with its whole range.
  if (family === 6 && /^::ffff:/i.test(address)) return false;
  return !forbidden.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

type Callback = (error: Error | null, address: unknown, family?: number) => void;

/**
 * For `http.request`: resolves a name and refuses private answers at connect time, so a name that resolves to
 * something else the second time gains nothing.
 */
export function publicLookup(hostname: string, options: { all?: boolean }, callback: Callback): void {
  lookup(hostname, { all: true }, (error, addresses) => {
    if (error) return callback(error, '');
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    const first = addresses[0];
    if (refused || !first) return callback(new Error('the address is not public'), '');
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
}
