import type source from '../en/account.ts';
import type { TranslationOf } from '../messages.ts';

export default {} satisfies TranslationOf<typeof source>;
