const formats = {
  en: new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' }),
  zh: new Intl.DateTimeFormat('zh-CN', { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' }),
} as const;

/** Day and minute: a record is looked up by when it happened, not by how long ago. */
export function shortTime(timeMs: number, language: 'en' | 'zh'): string {
  return formats[language].format(timeMs);
}
