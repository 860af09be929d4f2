import { existsSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { defineConfig } from 'rolldown';
import { lightChunks, withoutUnusedParts } from './tools/light-bundle.mjs';

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
  plugins: [lightChunks, withoutUnusedParts, noSecondTypeorm],
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
