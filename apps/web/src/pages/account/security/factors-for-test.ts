/** What the API says of an account without a second factor. */
export const noFactors = {
  rpId: 'localhost',
  address: 'own',
  passkeys: [],
  totp: null,
  recoveryCodesLeft: 0,
  loginRequired: false,
  recovery: null,
  recoveryDelayMs: 0,
  exportReadyAt: null,
};
