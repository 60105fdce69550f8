import type source from '../en/app.ts';
import type { TranslationOf } from '../messages.ts';

export default {
  newVersion: '有新版本可用',
  reload: '重新加载',
} satisfies TranslationOf<typeof source>;
