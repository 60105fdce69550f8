// The entry of verify.html. Storage is out of reach, so language and theme come with the address.
import { createRoot } from 'react-dom/client';
import { detectLanguage, readLanguageSources } from '../i18n/detect-language.ts';
import { themeFrom } from '../ui/theme.ts';
import { VerifyApp } from './verify-app.tsx';
import './verify.css';

const query = new URLSearchParams(location.search);
createRoot(document.getElementById('root')!).render(
  <VerifyApp
    language={detectLanguage(readLanguageSources())}
    theme={themeFrom(query.get('theme'))}
    slug={query.get('strategy') ?? ''}
  />,
);
