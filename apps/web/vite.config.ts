import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

/** The text font is known at build time: without the hint it is asked for only once the style sheet has arrived. */
const preloadTextFont = (): Plugin => ({
  name: 'vigie-preload-text-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => /inter-latin-wght-normal-[^/]*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
          injectTo: 'head' as const,
        })),
  },
});

/** The gateway serves these as they are: nothing is compressed while somebody waits. */
const precompress = (): Plugin => {
  let folder = '';
  return {
    name: 'vigie-precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: () => {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|html|svg|json|txt)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
};

const isJsonSchemaCode = (id: string) => /zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/.test(id);

/** Each schema of Zod refers to the code that describes it in JSON, which only the gateway does: for `/api/openapi.json`. */
const withoutJsonSchemas = (): Plugin => ({
  name: 'vigie-without-json-schemas',
  apply: 'build',
  enforce: 'pre',
  load: (id) => {
    if (!isJsonSchemaCode(id)) return null;
    const names = readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm);
    return [...names].map(([, name]) => `export const ${name} = () => undefined;`).join('\n');
  },
});

const contracts = /libs\/contracts\/src|node_modules\/zod/;
const ui = /apps\/web\/src\/(?:ui|kit)\/|node_modules\/(?:@mantine|@floating-ui)/;

export default defineConfig(({ mode }) => {
  const { VIGIE_GATEWAY_URL: gateway } = loadEnv(mode, import.meta.dirname, 'VIGIE_');
  return {
    plugins: [react(), withoutJsonSchemas(), preloadTextFont(), precompress()],
    resolve: { conditions: ['@vigie/source', 'module', 'browser', 'development|production'] },
    server: gateway ? { proxy: { '/api': { target: gateway, ws: true } } } : {},
    build: {
      outDir: '../../dist/web',
      emptyOutDir: true,
      target: 'es2023',
      sourcemap: false,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'icons', test: /lucide-react/, tags: ['$initial'] },
              { name: 'terminal', test: /@xterm\/.*\.mjs/ },
              // A screen is made of a few files, not of eighty: each has to be asked for. The first one loads only its part.
              { name: 'contracts', test: contracts, tags: ['$initial'] },
              { name: 'ui', test: ui, tags: ['$initial'] },
              { name: 'libraries', test: /node_modules/, tags: ['$initial'] },
              { name: 'table', test: /@tanstack\/(?:react-)?(?:table|virtual)/ },
              { name: 'more-icons', test: /lucide-react/ },
              { name: 'more-contracts', test: contracts },
              { name: 'more-ui', test: ui },
            ],
          },
        },
      },
    },
  };
});
