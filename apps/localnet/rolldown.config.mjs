import { builtPart } from '../../scripts/built-part.mjs';

export default builtPart(import.meta.dirname, { input: ['src/main.ts'], native: [/^litesvm/] });
