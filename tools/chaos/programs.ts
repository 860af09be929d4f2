import { join } from 'node:path';
import { type OutputOptions, rolldown, type RolldownOptions } from 'rolldown';
import { root } from '../start/env';
import { type GuardName, guards } from './guards';

/** Where the programs of a trial are, below `dist`, by the service whose place they take. */
export type Programs = { [app in 'ssh-agent' | 'sites-svc']?: string };

const folder = 'tools/chaos';

/** The agent with the kinds of a trial, and each of them without one of its guards where that is wanted. */
export async function bundlePrograms(without: GuardName | undefined): Promise<Programs> {
  const app = without && guards[without].app;
  await bundle('ssh-agent', 'apps/ssh-agent/src/trial/main.ts', app === 'ssh-agent' ? without : undefined);
  if (app !== 'sites-svc') return { 'ssh-agent': `${folder}/ssh-agent` };
  await bundle('sites-svc', 'apps/sites-svc/src/main.ts', without);
  return { 'ssh-agent': `${folder}/ssh-agent`, 'sites-svc': `${folder}/sites-svc` };
}

type Usual = Omit<RolldownOptions, 'input' | 'output'> & { input: Record<string, string>; output: OutputOptions };

const bundle = (app: string, input: string, without?: GuardName) => bundleInstead(folder, app, input, without);

/**
 * What takes the place of a service's own program, below `dist/<into>`: by the configuration of the services, which looks
 * at the folder that it works in.
 */
export async function bundleInstead(into: string, app: string, input: string, without?: GuardName): Promise<void> {
  const from = process.cwd();
  process.chdir(join(root, 'apps', app));
  try {
    const { default: defaults }: { default: Usual } = await import(`${join(root, 'rolldown.config.mjs')}?${app}`);
    const made = await rolldown({
      ...defaults,
      // A worker thread is looked for beside the program.
      input: { ...defaults.input, main: join(root, input) },
      tsconfig: join(root, 'tsconfig.base.json'),
      plugins: [defaults.plugins, without ? takingOut(without) : []],
    });
    await made.write({ ...defaults.output, dir: join(root, 'dist', into, app) });
    await made.close();
  } finally {
    process.chdir(from);
  }
}

function takingOut(name: GuardName) {
  const { file, code, without } = guards[name];
  return {
    name: `without-${name}`,
    transform: (text: string, id: string) =>
      id.endsWith(file) ? { code: text.replace(code, () => without), map: null } : null,
  };
}
