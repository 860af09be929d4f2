import { chmodSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const folder = '../../dist/cli';

const executable = {
  name: 'executable',
  writeBundle: () => chmodSync(`${folder}/vigie`, 0o755),
};

/** A file without an extension is CommonJS, except below a `package.json` that says otherwise. */
const anywhere = 'var require = typeof require === "function" ? require : process.getBuiltinModule;';

// One file with all that it needs.
export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  tsconfig: '../../tsconfig.base.json',
  resolve: { conditionNames: ['@vigie/source', 'node'] },
  plugins: [executable],
  // A command runs a few of the modules: Node should not compile the others.
  optimization: { pifeForModuleWrappers: false },
  output: {
    dir: folder,
    entryFileNames: 'vigie',
    format: 'cjs',
    intro: anywhere,
    minify: true,
    cleanDir: true,
    codeSplitting: false,
  },
});
