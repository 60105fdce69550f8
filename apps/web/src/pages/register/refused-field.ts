import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { RegisterValues } from '../../features/session/credentials.ts';
import type { TextKey } from '../../i18n/areas.ts';

const fields: Partial<Record<ErrorName, { field: keyof RegisterValues; text: TextKey }>> = {
  WRONG_CODE: { field: 'verificationCode', text: 'auth.errors.codeWrong' },
  WRONG_INVITE: { field: 'inviteCode', text: 'auth.errors.inviteWrong' },
  PASSWORDS_DIFFER: { field: 'confirmPassword', text: 'auth.errors.passwordsDiffer' },
  PASSWORD_TOO_WEAK: { field: 'password', text: 'auth.errors.passwordWeak' },
  AGREEMENT_REQUIRED: { field: 'agreement', text: 'auth.errors.agreementRequired' },
};

/** The field that a refusal is about, so that it is said there and not only in a toast. */
export function refusedField(refusal: ErrorName | null): { field: keyof RegisterValues; text: TextKey } | null {
  return (refusal && fields[refusal]) ?? null;
}
