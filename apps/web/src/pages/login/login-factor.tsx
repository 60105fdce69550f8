import type { ErrorContext } from '@hunter/contract/error-catalogue';
import { FactorPrompt } from '../../ui/factor-prompt.tsx';
import { ownIntent, type SecondFactor } from '../../ui/passkey.ts';

export type WantedFactor = ErrorContext['LOGIN_FACTOR_REQUIRED'];

type LoginFactorProps = { wanted: WantedFactor; busy: boolean; onFactor: (factor: SecondFactor) => void };

/** The second step of a login, for accounts that ask for it. */
export default function LoginFactor({ wanted, ...rest }: LoginFactorProps) {
  return <FactorPrompt {...wanted} {...rest} intent={ownIntent('login', wanted.address, wanted.factorId)} />;
}
