/** Addresses are compared by this. The contract has trimmed and checked the address already. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
