import { expect, it } from 'vitest';
import { networkOf } from './network-of.ts';

it('counts an IPv6 address by its /64, however it is written', () => {
  for (const address of ['2001:db8:0:7::1', '2001:0DB8:0:7:ffff:1:2:3', '2001:db8::7:0:0:0:9', '2001:db8:0:7::%eth0']) {
    expect(networkOf(address)).toBe('2001:db8:0:7::/64');
  }
  expect(networkOf('2001:db8:0:8::1')).toBe('2001:db8:0:8::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});

it('counts an IPv4 address by itself, also where it is written as IPv6', () => {
  expect(['10.0.0.1', '::ffff:10.0.0.1', '::FFFF:a00:1'].map(networkOf)).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.1']);
  expect(networkOf('not an address')).toBe('not an address');
});
