import type { CallRequest } from '@hunter/contract/calls';
import { amountProblem, tidyAmount } from '../../../../ui/sol-amount.ts';
import type { TextKey } from '../../../../i18n/areas.ts';

export type KeyForm = {
  name: string;
  scope: 'read' | 'trade';
  days: '7' | '30' | '90' | '365';
  dailySol: string;
  addresses: string;
  password: string;
};

export const emptyKeyForm: KeyForm = {
  name: '',
  scope: 'read',
  days: '90',
  dailySol: '1',
  addresses: '',
  password: '',
};

const ADDRESSES_MAX = 10;
/** The server reads them in full; this finds what is plainly none. */
const ADDRESS = /^[0-9a-f.:]{2,45}(\/\d{1,3})?$/i;

export function addressesOf(text: string): string[] {
  return text.split(/[\s,，、]+/).filter((part) => part !== '');
}

export function keyFormErrors(form: KeyForm): { [Field in keyof KeyForm]?: TextKey } {
  const addresses = addressesOf(form.addresses);
  return {
    ...(form.name.trim() === '' ? { name: 'account.apiKeys.nameRequired' as const } : {}),
    ...(form.scope === 'trade' && amountProblem(form.dailySol, null) !== null
      ? { dailySol: 'account.apiKeys.dailyInvalid' as const }
      : {}),
    ...(addresses.length > ADDRESSES_MAX || !addresses.every((address) => ADDRESS.test(address))
      ? { addresses: 'account.apiKeys.addressesInvalid' as const }
      : {}),
    ...(form.password === '' ? { password: 'auth.errors.passwordRequired' as const } : {}),
  };
}

export function keyRequest(form: KeyForm, id: string): Omit<CallRequest<'createApiKey'>, 'factor'> {
  return {
    id,
    name: form.name.trim(),
    scope: form.scope,
    days: Number(form.days),
    addresses: addressesOf(form.addresses),
    password: form.password,
    ...(form.scope === 'trade' ? { dailySol: tidyAmount(form.dailySol) } : {}),
  };
}
