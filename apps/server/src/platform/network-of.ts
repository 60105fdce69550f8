import { isIPv6, SocketAddress } from 'node:net';

const GROUPS_OF_NETWORK = 4;

/**
 * What limits per address count by. Whoever has one IPv6 address has the 2^64 of its network, so those count as one;
 * an IPv4 address that is written as IPv6 counts as itself.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(new SocketAddress({ address, family: 'ipv6' }).address);
  if (mapped) return mapped[1]!;
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const left = groups(head);
  const missing = Math.max(0, 8 - left.length - groups(tail).length);
  const all = address.includes('::') ? [...left, ...Array<string>(missing).fill('0'), ...groups(tail)] : left;
  return `${all
    .slice(0, GROUPS_OF_NETWORK)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
