import { randomBytes } from 'node:crypto';

/**
 * What others see of a user until the user chooses a name: neutral, and made from nothing about the person. The digits
 * grow with the tries, because short names run out.
 */
export function generateDisplayName(attempt: number): string {
  const digits = Math.min(4 + attempt * 2, 16);
  return `trader-${randomBytes(8).toString('hex').slice(0, digits)}`;
}
