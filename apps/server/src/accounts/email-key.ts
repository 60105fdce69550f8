/** Addresses are compared by this. The contract has trimmed and checked the address already. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/**
 * Which mailbox an address reaches. Mail servers ignore the case of Latin letters and nothing else: the Kelvin sign, which
 * compares equal to a plain k, is another mailbox.
 */
export function mailboxOf(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
