import type { MintExtension } from '@hunter/domain/market/token-safety';

type State = Record<string, unknown>;

/** Extensions that change nothing for a holder. What is neither here nor read below counts as unreadable, never as safe. */
const HARMLESS = new Set([
  'metadataPointer',
  'tokenMetadata',
  'groupPointer',
  'groupMemberPointer',
  'interestBearingConfig',
  'mintCloseAuthority',
  'scaledUiAmountConfig',
]);

/** Reads the `extensions` of a parsed Token-2022 mint. */
export function readExtensions(parsed: unknown): MintExtension[] {
  if (parsed === undefined || parsed === null) return [];
  if (!Array.isArray(parsed)) return [{ kind: 'unreadable', type: -1 }];
  return parsed.map((entry: unknown) => {
    const { extension, state } = (entry ?? {}) as { extension?: unknown; state?: State };
    return readExtension(String(extension), state ?? {});
  });
}

function readExtension(name: string, state: State): MintExtension {
  switch (name) {
    case 'transferFeeConfig': {
      const newer = state['newerTransferFee'] as State | undefined;
      const older = state['olderTransferFee'] as State | undefined;
      const feeBps = Math.max(
        Number(newer?.['transferFeeBasisPoints'] ?? 0),
        Number(older?.['transferFeeBasisPoints'] ?? 0),
      );
      return { kind: 'transfer-fee', feeBps, canChange: isSet(state['transferFeeConfigAuthority']) };
    }
    case 'permanentDelegate':
      return isSet(state['delegate']) ? { kind: 'permanent-delegate' } : { kind: 'harmless', name };
    case 'transferHook':
      return { kind: 'transfer-hook', active: isSet(state['programId']) || isSet(state['authority']) };
    case 'defaultAccountState':
      return state['accountState'] === 'frozen' ? { kind: 'default-frozen' } : { kind: 'harmless', name };
    case 'nonTransferable':
      return { kind: 'non-transferable' };
    case 'pausableConfig':
      return { kind: 'pausable' };
    default:
      return HARMLESS.has(name) ? { kind: 'harmless', name } : { kind: 'unreadable', type: -1 };
  }
}

function isSet(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value !== '11111111111111111111111111111111';
}
