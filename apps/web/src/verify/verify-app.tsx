import { useEffect, useState } from 'react';
import type { Language } from '../i18n/detect-language.ts';
import { headerClass, productClass } from '../shell/header-frame.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Logo, MoonIcon, SunIcon } from '../ui/icons.tsx';
import type { Theme } from '../ui/theme.ts';
import { CopySection } from './copy-section.tsx';
import { NodeChoice } from './node-choice.tsx';
import { StrategySection } from './strategy-section.tsx';
import { Texts, translator, useTexts } from './texts.ts';

type VerifyAppProps = { language: Language; theme: Theme; slug: string };

export function VerifyApp(start: VerifyAppProps) {
  const [language, setLanguage] = useState(start.language);
  const [theme, setTheme] = useState(start.theme);
  const t = translator(language);
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    document.documentElement.dataset['theme'] = theme;
    document.title = `${translator(language)('verify.title')} · Hunter`;
  }, [language, theme]);
  return (
    <Texts value={t}>
      <header className={headerClass}>
        <a href="/" className={productClass} aria-label={t('verify.back')}>
          <Logo />
          Hunter
        </a>
        <div className="ml-auto flex items-center gap-1">
          <Button tone="plain" size="s" onClick={() => setLanguage(language === 'en' ? 'zh' : 'en')}>
            {t('verify.language')}
          </Button>
          <IconButton
            label={t(theme === 'dark' ? 'verify.theme.light' : 'verify.theme.dark')}
            onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
          >
            {theme === 'dark' ? <MoonIcon /> : <SunIcon />}
          </IconButton>
        </div>
      </header>
      <Main slug={start.slug} />
    </Texts>
  );
}

function Main({ slug }: { slug: string }) {
  const t = useTexts();
  const [rpc, setRpc] = useState<string | null>(null);
  return (
    <main className="mx-auto flex w-full max-w-[820px] flex-col gap-3.5 px-3 py-5 sm:px-5">
      <div className="flex flex-col gap-1.5">
        <h1>{t('verify.title')}</h1>
        <p className="text-muted">{t('verify.text')}</p>
      </div>
      <NodeChoice onChange={setRpc} />
      <StrategySection slug={slug} rpc={rpc} />
      <CopySection rpc={rpc} />
      <section className="card flex flex-col gap-2 p-4 text-sm text-muted">
        <h2 className="text-text">{t('verify.limits.title')}</h2>
        <p>{t('verify.limits.exact')}</p>
        <p>{t('verify.limits.published')}</p>
        <p>{t('verify.limits.complete')}</p>
      </section>
    </main>
  );
}
