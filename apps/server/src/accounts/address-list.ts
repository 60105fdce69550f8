import { BlockList, isIP } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IP address, or a network such as 203.0.113.0/24. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Whether an address is in one of the networks; an IPv4 address that is written as IPv6 counts as itself. */
export function isListed(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', bits] = network.split('/');
    const type = isIP(start) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(start, Number(bits ?? (type === 'ipv4' ? 32 : 128)), type);
  }
  const plain = MAPPED.exec(address)?.[1] ?? address;
  return list.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
}
