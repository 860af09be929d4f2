import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'rolldown';

const app = basename(process.cwd());
/** Each entry is a program of its own: the service, the migrate step of those that have a database, a worker thread. */
const entries = ['main', 'migrate', 'key-worker'].filter((name) => existsSync(`src/${name}.ts`));
const isOwn = (id) =>
  id.startsWith('.') || id.startsWith('/') || id.startsWith('@vigie/') || id.startsWith('@oxc-project/');

// Own code is bundled, dependencies stay in node_modules: several are native or find their files by path.
export default defineConfig({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  tsconfig: '../../tsconfig.base.json',
  moduleTypes: { '.sh': 'text' },
  external: (id) => !isOwn(id),
  resolve: { conditionNames: ['@vigie/source', 'node'] },
  // keepNames: TypeORM reads a migration's time from its class name, which the bundler would otherwise rename.
  output: { dir: `../../dist/${app}`, format: 'esm', sourcemap: true, keepNames: true, cleanDir: true },
});
