import { describe, expect, it } from 'vitest';
import { isListed, isNetwork } from './address-list.ts';

describe('isNetwork', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32', '0.0.0.0/0'])('takes %s', (text) => {
    expect(isNetwork(text)).toBe(true);
  });
  it.each(['', 'localhost', '203.0.113', '203.0.113.0/33', '2001:db8::/129', '203.0.113.0/24/1', '203.0.113.0/-1'])(
    'refuses %s',
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );
});

describe('isListed', () => {
  it('takes an address of a listed network only', () => {
    expect(isListed(['203.0.113.0/24', '2001:db8::5'], '203.0.113.200')).toBe(true);
    expect(isListed(['203.0.113.0/24', '2001:db8::5'], '203.0.114.1')).toBe(false);
    expect(isListed(['203.0.113.0/24', '2001:db8::5'], '2001:db8::5')).toBe(true);
    expect(isListed(['203.0.113.0/24', '2001:db8::5'], '2001:db8::6')).toBe(false);
  });

  it('takes an IPv4 address that is written as IPv6 for itself', () => {
    expect(isListed(['203.0.113.7'], '::ffff:203.0.113.7')).toBe(true);
    expect(isListed(['203.0.113.7'], '::ffff:203.0.113.8')).toBe(false);
    expect(isListed(['203.0.113.7'], '::ffff:cb00:7107')).toBe(true);
  });

  it('takes an IPv4 address that was listed as IPv6 for itself', () => {
    expect(isListed(['::ffff:203.0.113.7'], '203.0.113.7')).toBe(true);
    expect(isListed(['::ffff:cb00:7107'], '203.0.113.7')).toBe(true);
    expect(isListed(['::ffff:203.0.113.0/120'], '203.0.113.200')).toBe(true);
    expect(isListed(['::ffff:203.0.113.0/120'], '203.0.114.1')).toBe(false);
  });
});
