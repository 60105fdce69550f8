// Completes index.html: the frame that is painted before the app is there, and the boot script with the names of the
// files that each page needs. Both are made from sources below src/boot.
import { join } from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { build } from 'vite';
import type { Plugin, Rolldown } from 'vite';
import { FirstPaint } from '../src/boot/first-paint.tsx';
import { firstQuestions } from '../src/boot/first-questions.ts';
import type { PageChunks } from '../src/boot/page-start.ts';
import { pageFiles, SESSION_FILES } from '../src/page-table.ts';
import { routeTable } from '../src/route-table.ts';

const FRAME_PLACE = '<!-- first paint -->';
const BOOT_PLACE = '<!-- boot -->';
const FIRST_FONT = 'inter-latin-wght';
const BOOT_SOURCE = 'src/boot/boot.ts';
const ENTRY_TAG = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
const STYLE_TAG = /<link rel="stylesheet" crossorigin href="[^"]+">/;

type Bundle = Rolldown.OutputBundle;

/** The page's chunk with everything it imports, without what the entry brings anyway. */
function filesOf(bundle: Bundle, module: string, root: string, entryFiles: ReadonlySet<string>): Set<string> {
  const files = new Set<string>();
  const add = (file: string): void => {
    const chunk = bundle[file];
    if (chunk?.type !== 'chunk' || files.has(file) || entryFiles.has(file)) return;
    files.add(file);
    chunk.imports.forEach(add);
  };
  const found = Object.values(bundle).find(
    (each) => each.type === 'chunk' && each.facadeModuleId === join(root, module),
  );
  if (!found) throw new Error(`${module} has no file of its own in the build`);
  add(found.fileName);
  return files;
}

function pageChunks(bundle: Bundle, root: string): PageChunks {
  const entry = Object.values(bundle).find((each) => each.type === 'chunk' && each.isEntry);
  const entryFiles = new Set(entry?.type === 'chunk' ? [entry.fileName, ...entry.imports] : []);
  const files: string[] = [];
  const indexOf = (file: string): number => {
    const name = file.replace(/^assets\//, '');
    const known = files.indexOf(name);
    return known === -1 ? files.push(name) - 1 : known;
  };
  const pages: Record<string, PageChunks['pages'][string]> = {};
  const indexes = (modules: readonly string[]) =>
    [...new Set(modules.flatMap((module) => [...filesOf(bundle, module, root, entryFiles)]))].map(indexOf);
  for (const { path, page, texts } of pageFiles()) {
    pages[path] = { code: indexes([page]), en: indexes(texts('en')), zh: indexes(texts('zh')) };
  }
  return { files, session: indexes(SESSION_FILES), pages };
}

async function bootScript(root: string, chunks: PageChunks, entry: string): Promise<string> {
  // Without titles and icons, which would weigh in the first load of every page.
  const routes = Object.entries(routeTable).map(([path, { requiresAuth }]) => [path, { requiresAuth }]);
  const result = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: {
      ROUTES: JSON.stringify(Object.fromEntries(routes)),
      PAGE_CHUNKS: JSON.stringify(chunks),
      FIRST_QUESTIONS: JSON.stringify(firstQuestions),
      ENTRY: JSON.stringify(entry),
    },
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: join(root, BOOT_SOURCE), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  const [script, ...others] = result.output;
  if (others.length > 0) throw new Error('the boot script must be one file');
  return script.code;
}

export function firstPaint(): Plugin {
  let root = '';
  let building = false;
  return {
    name: 'hunter:first-paint',
    enforce: 'post',
    config(_config, { command }) {
      if (command === 'build') return undefined;
      // In development nothing is fetched ahead, and index.html itself starts the app: the entry is an empty module.
      const none: PageChunks = { files: [], session: [], pages: {} };
      return {
        define: {
          ROUTES: '{}',
          PAGE_CHUNKS: JSON.stringify(none),
          FIRST_QUESTIONS: '{}',
          ENTRY: '"data:text/javascript,"',
        },
      };
    },
    configResolved(config) {
      root = config.root;
      building = config.command === 'build';
    },
    transformIndexHtml(html) {
      const framed = html.replace(FRAME_PLACE, renderToStaticMarkup(createElement(FirstPaint)));
      // In development the boot script is a module like any other and knows of no files to fetch ahead.
      return building ? framed : framed.replace(BOOT_PLACE, `<script type="module" src="/${BOOT_SOURCE}"></script>`);
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('the build made no index.html');
        const html = String(page.source);
        if (!html.includes(BOOT_PLACE)) throw new Error('index.html has no place for the boot script');
        const [entryTag, entry] = ENTRY_TAG.exec(html) ?? [];
        if (entryTag === undefined || entry === undefined) throw new Error('index.html names no entry');
        const source = await bootScript(root, pageChunks(bundle, root), entry);
        const file = this.getFileName(this.emitFile({ type: 'asset', name: 'boot.js', source }));
        // Asked for with the first requests and not when the first text is laid out: the sooner it is there, the less is seen of another one.
        const font = Object.keys(bundle).find((name) => name.includes(FIRST_FONT));
        if (!font) throw new Error(`the build has no font ${FIRST_FONT}`);
        const [styleTag] = STYLE_TAG.exec(html) ?? [];
        if (styleTag === undefined) throw new Error('index.html names no style sheet');
        const fontTag = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`;
        page.source = html
          .replace(styleTag, '')
          // The app's own code is named here and fetched by the boot script when the frame has been painted.
          .replace(entryTag, `<link rel="later" crossorigin href="${entry}">`)
          .replaceAll('<link rel="modulepreload"', '<link rel="later"')
          .replace(BOOT_PLACE, [styleTag, `<script src="/${file}"></script>`, fontTag].join('\n    '));
      },
    },
  };
}
