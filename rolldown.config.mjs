import { basename } from 'node:path';
import { defineConfig } from 'rolldown';

const app = basename(process.cwd());
const isOwn = (id) =>
  id.startsWith('.') || id.startsWith('/') || id.startsWith('@vigie/') || id.startsWith('@oxc-project/');

// Own code is bundled, dependencies stay in node_modules: several are native or find their files by path.
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  tsconfig: '../../tsconfig.base.json',
  external: (id) => !isOwn(id),
  resolve: { conditionNames: ['@vigie/source', 'node'] },
  // keepNames: TypeORM reads a migration's time from its class name, which the bundler would otherwise rename.
  output: { dir: `../../dist/${app}`, format: 'esm', sourcemap: true, keepNames: true, cleanDir: true },
});
