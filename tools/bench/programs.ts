import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { type RunningProcess, launch, stopRunning } from '../start/child';
import { root, searchPath } from '../start/env';
import { lastError, linesSince, logFile } from '../start/logs';
import type { Workbench } from './workbench';

/** Programs that run in separate processes. */
const sources = {
  fastify: new URL('./rivals/fastify.ts', import.meta.url),
  monolith: new URL('./rivals/monolith.ts', import.meta.url),
  hashes: new URL('./rivals/hashes.ts', import.meta.url),
  'url-load': new URL('./url-load.ts', import.meta.url),
  'load-generator': new URL('./load-generator.ts', import.meta.url),
  'load-consoles': new URL('./load-consoles.ts', import.meta.url),
  'ssh-client': new URL('./ssh-client.ts', import.meta.url),
  'ssh-relay': new URL('./ssh-relay.ts', import.meta.url),
  'sites-client': new URL('./sites-client.ts', import.meta.url),
};
export type ProgramName = keyof typeof sources;

const bundlePath = (name: ProgramName) => join(root, `dist/tools/bench/${name}.js`);

/** This tool runs from its bundle below `dist`. The sources have the same path below the root. */
const sourcePath = (name: ProgramName) => fileURLToPath(sources[name]).replace(join(root, 'dist/'), join(root, '/'));

export async function bundlePrograms(): Promise<void> {
  for (const name of Object.keys(sources) as ProgramName[]) {
    const bundle = await rolldown({
      input: sourcePath(name),
      platform: 'node',
      tsconfig: join(root, 'tsconfig.base.json'),
      external: (id) => !/^(\.|\/|@vigie\/|@oxc-project\/)/.test(id),
      resolve: { conditionNames: ['@vigie/source', 'node'] },
      moduleTypes: { '.sh': 'text', '.php': 'text' },
      cwd: root,
    });
    await bundle.write({ file: bundlePath(name), format: 'esm', keepNames: true, codeSplitting: false });
    await bundle.close();
  }
}

/** `message` is the first one of the program. */
export type Started = { running: RunningProcess; message: unknown; stop: () => Promise<void> };

/** Starts a program and waits for its first message. */
export async function startProgram(bench: Workbench, name: ProgramName, env: NodeJS.ProcessEnv): Promise<Started> {
  bench.signal.throwIfAborted();
  const home = join(bench.folder, 'programs');
  const running = launch(home, {
    name,
    title: name,
    file: process.execPath,
    args: ['--enable-source-maps', bundlePath(name)],
    cwd: root,
    env: { PATH: searchPath(), ...env },
    hasChannel: true,
  });
  const stop = () => stopRunning(running, 2_000);
  bench.atEnd(stop);
  const death = running.exited.then(({ code }) => {
    const lastLine = lastError(linesSince(logFile(home, name), running.logStart));
    throw new Error(`${name} ended with ${code}: ${lastLine}`);
  });
  const [message] = await Promise.race([once(running.process, 'message'), death]);
  death.catch(() => undefined);
  return { running, message, stop };
}

/** Sends a message to a program and returns its answer. */
export async function ask<T>({ running }: Started, message: object | string): Promise<T> {
  running.process.send(message);
  const death = running.exited.then(({ code }) =>
    Promise.reject(new Error(`${running.program.name} ended with ${code}`)),
  );
  const [answer] = await Promise.race([once(running.process, 'message'), death]);
  return answer as T;
}
