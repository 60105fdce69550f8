// Writes each text file of the build compressed beside itself, so that the server sends what is ready instead of
// compressing the same script for every visitor: the first paint waits for that.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg)$/;
/** Smaller ones gain nothing worth a second file. */
const SIZE_MIN = 1_024;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export function compress(): Plugin {
  return {
    name: 'hunter:compress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => COMPRESSIBLE.test(fileName));
        await Promise.all(
          files.map(async (file) => {
            const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            if (content.length < SIZE_MIN) return;
            const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
            const [br, gz] = await Promise.all([brotli(content, { params }), gzipped(content, { level: 9 })]);
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: br });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gz });
          }),
        );
      },
    },
  };
}
