// What the forms around an account accept. The server checks again; here the user learns it while typing.
import type { TextKey } from '../../i18n/areas.ts';

type CredentialErrors<Field extends string> = { [Key in Field]?: TextKey };

const PASSWORD_LENGTH_MIN = 8;
export const CODE_LENGTH = 6;

/** The shape the server accepts, so that both refuse the same. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

export function emailError(email: string): TextKey | undefined {
  const text = email.trim();
  if (text === '') return 'auth.errors.emailRequired';
  return text.length <= 254 && EMAIL.test(text) ? undefined : 'auth.errors.emailInvalid';
}

export type LoginValues = { email: string; password: string };

export function validateLogin(values: LoginValues): CredentialErrors<keyof LoginValues> {
  return present({
    email: emailError(values.email),
    // The length of an existing password is nobody's business here: a wrong one is simply wrong.
    password: values.password === '' ? 'auth.errors.passwordRequired' : undefined,
  });
}

export type RegisterValues = {
  email: string;
  password: string;
  confirmPassword: string;
  verificationCode: string;
  inviteCode: string;
  agreement: boolean;
};

export function validateRegister(values: RegisterValues): CredentialErrors<keyof RegisterValues> {
  return present({
    email: emailError(values.email),
    ...newPasswordErrors(values),
    verificationCode: codeError(values.verificationCode),
    inviteCode: values.inviteCode.trim() === '' ? 'auth.errors.inviteRequired' : undefined,
    agreement: values.agreement ? undefined : 'auth.errors.agreementRequired',
  });
}

export type ResetValues = { email: string; password: string; confirmPassword: string; verificationCode: string };

export function validateReset(values: ResetValues): CredentialErrors<keyof ResetValues> {
  return present({
    email: emailError(values.email),
    ...newPasswordErrors(values),
    verificationCode: codeError(values.verificationCode),
  });
}

export function newPasswordErrors(values: { password: string; confirmPassword: string }): {
  password: TextKey | undefined;
  confirmPassword: TextKey | undefined;
} {
  const { password, confirmPassword } = values;
  return {
    password:
      password === ''
        ? 'auth.errors.passwordRequired'
        : password.length < PASSWORD_LENGTH_MIN
          ? 'auth.errors.passwordShort'
          : undefined,
    confirmPassword:
      confirmPassword === ''
        ? 'auth.errors.confirmRequired'
        : confirmPassword === password
          ? undefined
          : 'auth.errors.passwordsDiffer',
  };
}

export function codeError(code: string): TextKey | undefined {
  const text = code.trim();
  if (text === '') return 'auth.errors.codeRequired';
  return new RegExp(`^\\d{${CODE_LENGTH}}$`).test(text) ? undefined : 'auth.errors.codeInvalid';
}

function present<Field extends string>(errors: { [Key in Field]: TextKey | undefined }): CredentialErrors<Field> {
  return Object.fromEntries(Object.entries(errors).filter(([, key]) => key !== undefined)) as CredentialErrors<Field>;
}
