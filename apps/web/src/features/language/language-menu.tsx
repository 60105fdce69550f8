import { setLanguage, useI18n } from '../../i18n/i18n.ts';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';

const short = { en: 'EN', zh: '中' } as const;

export function LanguageMenu() {
  const { t, language } = useI18n();
  return (
    <Menu
      label={`${t('shell.language')}: ${short[language]}`}
      triggerClassName="flex h-[34px] items-center gap-1 rounded-[9px] px-2 font-[550] text-muted hover:bg-hover hover:text-text aria-expanded:bg-hover pointer-coarse:h-10"
      trigger={
        <>
          <span className="min-w-5 text-center">{short[language]}</span>
          <ChevronDownIcon size={14} className="text-faint" />
        </>
      }
      items={[
        { key: 'en', label: t('shell.english'), selected: language === 'en', onSelect: () => void setLanguage('en') },
        { key: 'zh', label: t('shell.chinese'), selected: language === 'zh', onSelect: () => void setLanguage('zh') },
      ]}
    />
  );
}
