import { existsSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { defineConfig } from 'rolldown';

const app = basename(process.cwd());
const isThere = createRequire(join(process.cwd(), 'package.json'));
/** The service, its migrate step, the recovery of an administrator and a worker thread are separate programs. */
const entries = ['main', 'migrate', 'admin', 'key-worker'].filter((name) => existsSync(`src/${name}.ts`));

/** These packages load native code or files beside themselves, or few installations use them. */
const staysInNodeModules = /^(ssh2|@node-rs\/argon2|pino|thread-stream|msgpackr-extract|@aws-sdk\/client-s3)(\/|$)/;
const isOwn = (id) => /^(\.|\/|@vigie\/|@oxc-project\/)/.test(id);

/** Frameworks import optional packages and catch the failure: a missing package must fail at run time, not here. */
function isInstalled(id) {
  const [scope, name] = id.split('/');
  const folders = isThere.resolve.paths(id) ?? [];
  return folders.some((folder) => existsSync(join(folder, scope, id.startsWith('@') ? name : '')));
}

/**
 * Node reads every source map at start, and the maps of the dependencies take longer to read than their code. It keeps the
 * code in memory, with two bytes for each character once a single one is beyond Latin-1: these are escaped.
 */
const lightDependencies = {
  name: 'light-dependencies',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.name.startsWith('vendor')) continue;
      file.map = null;
      delete bundle[`${file.fileName}.map`];
      file.code = file.code
        .replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
        .replace(/[^\0-\u00ff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    }
  },
};

/** `typeorm-compat` loads TypeORM a second time, only to find that two exports of old versions are missing. */
const noSecondTypeorm = {
  name: 'no-second-typeorm',
  load: {
    filter: { id: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ },
    handler: () => 'export const Connection = undefined, AbstractRepository = undefined;',
  },
};

// Dependencies are bundled too: a service that reads two thousand files takes twice as long to start.
export default defineConfig({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  tsconfig: '../../tsconfig.base.json',
  moduleTypes: { '.sh': 'text', '.php': 'text' },
  external: (id) => builtinModules.includes(id) || staysInNodeModules.test(id) || !(isOwn(id) || isInstalled(id)),
  resolve: { conditionNames: ['@vigie/source', 'node'] },
  plugins: [lightDependencies, noSecondTypeorm],
  // TypeORM reads the time of a migration from its class name, so the bundler must keep names.
  output: {
    dir: `../../dist/${app}`,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    keepNames: true,
    minify: { mangle: false, compress: false, codegen: true },
    cleanDir: true,
    codeSplitting: { groups: [{ name: 'vendor', test: /node_modules/, entriesAware: true }] },
  },
});
