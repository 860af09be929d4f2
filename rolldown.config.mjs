import { existsSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { defineConfig } from 'rolldown';

const app = basename(process.cwd());
const isThere = createRequire(join(process.cwd(), 'package.json'));
/** Each entry is a program of its own: the service, the migrate step of those that have a database, the recovery of an administrator, a worker thread. */
const entries = ['main', 'migrate', 'admin', 'key-worker'].filter((name) => existsSync(`src/${name}.ts`));

/** These load a native part, files that they look for beside themselves, or are wanted by few. */
const staysInNodeModules = /^(ssh2|@node-rs\/argon2|pino|thread-stream|msgpackr-extract|@aws-sdk\/client-s3)(\/|$)/;
const isOwn = (id) => /^(\.|\/|@vigie\/|@oxc-project\/)/.test(id);

/** Frameworks ask for packages that nobody installed, and catch it: that must happen as they expect it. */
function isInstalled(id) {
  const [scope, name] = id.split('/');
  const folders = isThere.resolve.paths(id) ?? [];
  return folders.some((folder) => existsSync(join(folder, scope, id.startsWith('@') ? name : '')));
}

/** Node reads every map as it starts; the dependencies' would cost it more than all else of them. */
const ownMapsOnly = {
  name: 'own-maps-only',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.name.startsWith('vendor')) continue;
      file.map = null;
      delete bundle[`${file.fileName}.map`];
      file.code = file.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    }
  },
};

/** It loads TypeORM a second time, only to find that two exports of old versions are gone. */
const noSecondTypeorm = {
  name: 'no-second-typeorm',
  load: {
    filter: { id: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ },
    handler: () => 'export const Connection = undefined, AbstractRepository = undefined;',
  },
};

// Dependencies are bundled too: a service that has to find and read two thousand files starts twice as late.
export default defineConfig({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  tsconfig: '../../tsconfig.base.json',
  moduleTypes: { '.sh': 'text', '.php': 'text' },
  external: (id) => builtinModules.includes(id) || staysInNodeModules.test(id) || !(isOwn(id) || isInstalled(id)),
  resolve: { conditionNames: ['@vigie/source', 'node'] },
  plugins: [ownMapsOnly, noSecondTypeorm],
  // keepNames: TypeORM reads a migration's time from its class name, which the bundler would otherwise rename.
  output: {
    dir: `../../dist/${app}`,
    format: 'esm',
    sourcemap: true,
    keepNames: true,
    minify: { mangle: false, compress: false, codegen: true },
    cleanDir: true,
    codeSplitting: { groups: [{ name: 'vendor', test: /node_modules/, entriesAware: true }] },
  },
});
