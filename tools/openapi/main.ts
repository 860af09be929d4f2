import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../start/env';
import { runTool } from '../terminal';

/** The gateway knows its routes, so that the program is its own; this bundles and runs it, without a product. */
await runTool(async () => {
  const program = join(root, 'dist/tools/openapi/program.js');
  const build = await rolldown({
    input: join(root, 'apps/gateway/src/openapi/main.ts'),
    platform: 'node',
    tsconfig: join(root, 'tsconfig.base.json'),
    external: (id) => !/^(?:\.|\/|@vigie\/|@oxc-project\/)/.test(id),
    resolve: { conditionNames: ['@vigie/source', 'node'] },
    cwd: root,
  });
  await build.write({ file: program, format: 'esm', codeSplitting: false });
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
});
