// `node tools/bundle.mjs <name>` writes tools/<name>/main.ts and what it imports of the project as one file.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name] = process.argv.slice(2);

const isOwn = (id) => /^(\.|\/|@vigie\/|@oxc-project\/)/.test(id);

const build = await rolldown({
  input: join(root, `tools/${name}/main.ts`),
  platform: 'node',
  tsconfig: join(root, 'tsconfig.base.json'),
  external: (id) => !isOwn(id),
  resolve: { conditionNames: ['@vigie/source', 'node'] },
  moduleTypes: { '.sh': 'text', '.php': 'text' },
  // A tool may import a file of a service for one name; it must not load the framework, which takes a second.
  treeshake: { moduleSideEffects: [{ test: /^@nestjs\/typeorm$/, sideEffects: false }] },
  cwd: root,
});
const { output } = await build.generate({ format: 'esm', sourcemap: 'inline', keepNames: true, codeSplitting: false });
const file = join(root, `dist/tools/${name}/main.js`);
mkdirSync(dirname(file), { recursive: true });
// One file is written and renamed, so that parallel runs never see an incomplete bundle.
writeFileSync(`${file}.${process.pid}`, output[0].code);
renameSync(`${file}.${process.pid}`, file);
