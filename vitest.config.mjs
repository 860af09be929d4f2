import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tools/test/long-first.mjs';
import { VitestReport } from './tools/test/vitest-report.mjs';

/** Imports the scripts that run on hosts as text, as the bundler does. */
const asText = {
  name: 'vigie-as-text',
  load: {
    filter: { id: /\.(?:sh|php)$/ },
    handler: (id) => `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`,
  },
};

const specs = '{apps,libs,tools,docker,k8s}/**/*';
const medium = `${specs}.medium.spec.ts`;
const hosts = `${specs}.hosts.spec.ts`;

export default defineConfig({
  plugins: [asText],
  ssr: { resolve: { conditions: ['@vigie/source', 'node'], externalConditions: ['@vigie/source', 'node'] } },
  test: {
    // A worker loads the frameworks once instead of once per file, so tests must not rely on module state.
    isolate: false,
    // Stops hanging tests; a busy machine that is a third as fast as others needs four minutes for the longest.
    testTimeout: 480_000,
    hookTimeout: 480_000,
    sequence: { sequencer: LongFirst },
    reporters: ['default', new VitestReport()],
    // `npm test` starts the servers and builds the services for medium tests; only `npm run hosts` runs hosts tests.
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [`${specs}.spec.{ts,tsx}`], exclude: ['**/node_modules/**', medium, hosts] },
      },
      { extends: true, test: { name: 'medium', include: [medium] } },
      { extends: true, test: { name: 'hosts', include: [hosts] } },
    ],
  },
});
