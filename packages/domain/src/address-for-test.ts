import type { Address } from './address.ts';

/** A mint that a test tells from others by a readable name; where bytes or the wire are tried, it takes a real one through the door. */
export function mintNamed(name: string): Address {
  return name as Address;
}
