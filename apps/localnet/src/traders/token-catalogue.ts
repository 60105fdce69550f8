import type { Character } from './price-plan.ts';

type HostileFeature =
  | 'transfer-fee'
  | 'permanent-delegate'
  | 'frozen-by-default'
  | 'freeze-authority'
  | 'mint-authority';

export type CatalogueEntry = {
  name: string;
  symbol: string;
  character: Character;
  verified?: boolean;
  token2022?: boolean;
  hostile?: HostileFeature[];
};

const entry = (
  symbol: string,
  name: string,
  character: Character,
  more: Partial<CatalogueEntry> = {},
): CatalogueEntry => ({
  symbol,
  name,
  character,
  ...more,
});

/** The tokens that are there from the first start. Invented names; the last group is made to test whoever shows them. */
export const GENESIS_TOKENS: readonly CatalogueEntry[] = [
  entry('OTTER', 'Otter Holding Hands', 'climber', { verified: true }),
  entry('MOCHI', 'Mochi the Shiba', 'climber', { verified: true }),
  entry('TIDE', 'Midnight Tide', 'climber', { verified: true }),
  entry('PICKLE', 'Pickle Jar', 'climber'),
  entry('LUMEN', 'Lumen Cat', 'climber', { verified: true }),
  entry('YETI', 'Gentle Yeti', 'climber'),
  entry('NOODLE', 'Cup Noodle', 'climber', { token2022: true }),
  entry('GOOSE', 'Angry Goose', 'climber'),
  entry('DOGGO', 'Golden Doggo', 'golden', { verified: true }),
  entry('COMET', 'Comet Hamster', 'golden'),
  entry('LUCKY', 'Lucky Carp', 'golden'),
  entry('TOFU', 'Tofu Rocket', 'golden'),
  entry('KOI', 'Koi Dragon', 'golden', { token2022: true }),
  entry('WAFFLE', 'Waffle House', 'pump'),
  entry('ZAP', 'Zap Gecko', 'pump'),
  entry('SIREN', 'Siren Song', 'pump'),
  entry('BOING', 'Boing', 'pump'),
  entry('PANDA9', 'Panda Nine', 'pump'),
  entry('FROST', 'Frost Bite', 'pump'),
  entry('DUMPL', 'Dumpling Express', 'pump'),
  entry('RADIO', 'Radio Ghost', 'pump'),
  entry('JELLY', 'Jelly Moon', 'pump', { token2022: true }),
  entry('MANGO2', 'Second Mango', 'pump'),
  entry('CROW', 'Clever Crow', 'pump'),
  entry('BEAN', 'Bean Counter', 'sideways', { verified: true }),
  entry('SLOTH', 'Slow Sloth', 'sideways'),
  entry('PLUM', 'Plum Rain', 'sideways', { verified: true }),
  entry('MOSS', 'Moss Garden', 'sideways'),
  entry('OWL', 'Night Owl', 'sideways'),
  entry('BRICK', 'Just a Brick', 'sideways'),
  entry('TEAPOT', 'Teapot', 'sideways'),
  entry('LANTERN', 'Paper Lantern', 'sideways', { token2022: true }),
  entry('MOONX', 'Moon Express', 'rug', { hostile: ['mint-authority'] }),
  entry('GEMZ', 'Hidden Gemz', 'rug'),
  entry('VAULTY', 'Vaulty Finance', 'rug', { hostile: ['freeze-authority'] }),
  entry('APEX', 'Apex Yield', 'rug'),
  entry('FOXY', 'Foxy Loxy', 'rug'),
  entry('INU77', 'Inu Seventy Seven', 'rug'),
  entry('OLDCAT', 'Old Cat', 'dead'),
  entry('FAXMAC', 'Fax Machine', 'dead'),
  entry('DODO', 'Dodo Bird', 'dead'),
  entry('PAGER', 'Pager', 'dead'),
  entry('TAXED', 'Tax Haven', 'pump', { token2022: true, hostile: ['transfer-fee'] }),
  entry('CLAW', 'Claw Back', 'sideways', { token2022: true, hostile: ['permanent-delegate'] }),
  entry('ICED', 'Frozen Fortune', 'climber', { token2022: true, hostile: ['frozen-by-default', 'freeze-authority'] }),
  entry('TAXDEL', 'Double Trouble', 'rug', { token2022: true, hostile: ['transfer-fee', 'permanent-delegate'] }),
  entry('<b>PWN</b>', '<img src=x onerror=alert(1)>', 'pump'),
  entry('\u202EKNOB', 'Right to Left\u202E \u2066Bonk\u2069', 'sideways'),
  // Cyrillic letters in the place of Latin ones.
  entry('\u0412\u041ENK', 'B\u043Enk', 'pump', { hostile: ['mint-authority'] }),
  entry('US\u200BDC', 'USD\u200B Coin\u200D', 'sideways', { hostile: ['mint-authority', 'freeze-authority'] }),
  entry("'; DROP", 'Robert\'); DROP TABLE tokens;-- "{{7*7}}" ${7*7}', 'dead'),
  entry(
    'LONGEST',
    'A very long name that never seems to come to its end, however wide the table is made for it',
    'sideways',
  ),
];

const FIRST_WORDS =
  'Tiny,Cosmic,Sleepy,Turbo,Salty,Velvet,Electric,Humble,Feral,Polite,Crispy,Quantum,Rusty,Jolly,Neon,Secret'.split(
    ',',
  );
const SECOND_WORDS =
  'Capybara,Pigeon,Walrus,Toaster,Cactus,Ferret,Muffin,Wizard,Llama,Robot,Turnip,Badger,Penguin,Kettle,Gopher,Yak'.split(
    ',',
  );

/** A name for the n-th launch during the run. The first 256 differ; later ones carry a number. */
export function launchName(launch: number): { name: string; symbol: string } {
  const first = FIRST_WORDS[(launch * 7) % FIRST_WORDS.length]!;
  const second = SECOND_WORDS[(launch * 11 + Math.floor(launch / 16)) % SECOND_WORDS.length]!;
  const again = Math.floor(launch / 256);
  const suffix = again === 0 ? '' : ` ${again + 1}`;
  const symbol = `${first.slice(0, 3)}${second.slice(0, 4)}`.toUpperCase() + (again === 0 ? '' : String(again + 1));
  return { name: `${first} ${second}${suffix}`, symbol };
}
