import { join } from 'node:path';
import { type OutputOptions, rolldown, type RolldownOptions } from 'rolldown';
import { root } from '../start/env';
import { type GuardName, guards } from './guards';

/** The folders below `dist` of programs that replace those of services. */
export type Programs = { [app in 'ssh-agent' | 'sites-svc']?: string };

const folder = 'tools/chaos';

/** Bundles the agent with the job kinds of a trial, and removes a guard on request. */
export async function bundlePrograms(without: GuardName | undefined): Promise<Programs> {
  const app = without && guards[without].app;
  await bundle('ssh-agent', 'apps/ssh-agent/src/trial/main.ts', app === 'ssh-agent' ? without : undefined);
  if (app !== 'sites-svc') return { 'ssh-agent': `${folder}/ssh-agent` };
  await bundle('sites-svc', 'apps/sites-svc/src/main.ts', without);
  return { 'ssh-agent': `${folder}/ssh-agent`, 'sites-svc': `${folder}/sites-svc` };
}

type ServiceConfig = Omit<RolldownOptions, 'input' | 'output'> & {
  input: Record<string, string>;
  output: OutputOptions;
};

const bundle = (app: string, input: string, without?: GuardName) => bundleReplacement(folder, app, input, without);

/**
 * Bundles a replacement of a service's program into `dist/<into>`, with the configuration of the services, which depends
 * on the current folder.
 */
export async function bundleReplacement(
  targetFolder: string,
  app: string,
  input: string,
  without?: GuardName,
): Promise<void> {
  const previousFolder = process.cwd();
  process.chdir(join(root, 'apps', app));
  try {
    const { default: defaults }: { default: ServiceConfig } = await import(
      `${join(root, 'rolldown.config.mjs')}?${app}`
    );
    const build = await rolldown({
      ...defaults,
      // The program expects its worker thread beside it.
      input: { ...defaults.input, main: join(root, input) },
      tsconfig: join(root, 'tsconfig.base.json'),
      plugins: [defaults.plugins, without ? removeGuard(without) : []],
    });
    await build.write({ ...defaults.output, dir: join(root, 'dist', targetFolder, app) });
    await build.close();
  } finally {
    process.chdir(previousFolder);
  }
}

function removeGuard(name: GuardName) {
  const { file, code, without } = guards[name];
  return {
    name: `without-${name}`,
    transform: (text: string, id: string) =>
      id.endsWith(file) ? { code: text.replace(code, () => without), map: null } : null,
  };
}
