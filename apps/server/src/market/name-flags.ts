import { lookAlikeOf } from '@hunter/domain/names/look-alike';
import { cleanTokenName, cleanTokenSymbol } from '@hunter/domain/names/token-name';
import type { MarketToken } from './market-source.ts';

const MARKUP = /[<>]|&#|javascript:/i;

/** Why a token's name or symbol cannot be taken at face value; empty for an ordinary one. */
export function nameFlagsOf(token: Pick<MarketToken, 'mint' | 'name' | 'symbol'>): string[] {
  const flags: string[] = [];
  if (MARKUP.test(token.name) || MARKUP.test(token.symbol)) flags.push('markup');
  if (hidesCharacters(token.name, cleanTokenName) || hidesCharacters(token.symbol, cleanTokenSymbol)) {
    flags.push('hidden-characters');
  }
  if (lookAlikeOf(token.symbol, token.mint) !== null) flags.push('look-alike');
  return flags;
}

/** What is kept for display: safe beside other text, never empty. */
export function displayNames(token: Pick<MarketToken, 'mint' | 'name' | 'symbol'>): { name: string; symbol: string } {
  const short = `${token.mint.slice(0, 4)}…${token.mint.slice(-4)}`;
  return { name: cleanTokenName(token.name) ?? short, symbol: cleanTokenSymbol(token.symbol) ?? short };
}

function hidesCharacters(text: string, clean: (text: string) => string | null): boolean {
  const shown = clean(text);
  return (
    shown === null ||
    !shown.startsWith(
      text
        .normalize('NFC')
        .trim()
        .slice(0, shown.length - 1),
    )
  );
}
