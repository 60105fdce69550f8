import type { FactorChange, FactorChanges } from '../factors/factor-changes.ts';
import { id, label, owner, type Params, password, sealTo, text } from './params.ts';
import { bytesText, readSecondFactor } from '../factors/second-factor.ts';
import { SignerError } from '../signer-error.ts';

/** The door to everything about second factors. */
export async function callFactorMethod(factors: FactorChanges, method: string, params: Params): Promise<unknown> {
  switch (method) {
    case 'factors':
      return factors.list(owner(params), text(params, 'sealedKey'));
    case 'checkLoginFactor':
      await factors.checkLogin(
        owner(params),
        text(params, 'sealedKey'),
        id(params, 'id'),
        readSecondFactor(params.factor),
      );
      return {};
    case 'checkApiKeyFactor': {
      const { scope } = params;
      if (scope !== 'read' && scope !== 'trade') throw new SignerError('INVALID_PARAMS', 'scope must be read or trade');
      const apiKey = { id: id(params, 'id'), scope } as const;
      await factors.checkApiKey(owner(params), text(params, 'sealedKey'), apiKey, readSecondFactor(params.factor));
      return {};
    }
    case 'startTotp':
      return factors.startTotp(change(params), sealTo(params));
    case 'confirmTotp': {
      const totp = { id: id(params, 'id'), code: text(params, 'code'), name: label(params, 'name') };
      return factors.confirmTotp(change(params), totp, sealTo(params));
    }
    case 'enrolPasskey': {
      const created = {
        id: id(params, 'id'),
        name: label(params, 'name'),
        clientDataJson: bytesText(params, 'clientDataJson'),
        authenticatorData: bytesText(params, 'authenticatorData'),
      };
      return factors.enrolPasskey(change(params), created, sealTo(params));
    }
    case 'removeFactor':
      await factors.remove(change(params), bytesText(params, 'id'));
      return {};
    case 'renewRecoveryCodes':
      return factors.renewCodes(change(params), id(params, 'id'), sealTo(params));
    case 'setLoginRule':
      if (typeof params.on !== 'boolean') throw new SignerError('INVALID_PARAMS', 'on must be true or false');
      await factors.setLoginRule(change(params), id(params, 'id'), params.on);
      return {};
    case 'startRecovery':
      return factors.startRecovery(owner(params), text(params, 'sealedKey'), password(params, 'password'));
    case 'cancelRecovery':
      await factors.cancelRecovery(owner(params), text(params, 'sealedKey'));
      return {};
    case 'finishRecovery':
      await factors.finishRecovery(owner(params), text(params, 'sealedKey'), password(params, 'password'));
      return {};
    default:
      throw new SignerError('UNKNOWN_METHOD', 'no such method');
  }
}

function change(params: Params): FactorChange {
  return {
    owner: owner(params),
    sealedKey: text(params, 'sealedKey'),
    password: password(params, 'password'),
    factor: readSecondFactor(params.factor),
  };
}
