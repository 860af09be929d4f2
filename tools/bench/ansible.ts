import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from '../start/binaries';
import { searchPath } from '../start/env';
import { Refusal, fr } from '../terminal';
import { canInstall, install } from '../test/apt';
import { Children } from '../test/children';
import { runMeasured, type RivalUsage } from './rival-commands';
import type { Workbench } from './workbench';

export type AnsibleHost = { port: number; privateKey: string; user?: string; variables?: Record<string, string> };
type Module = 'shell' | 'raw';
export type Play = { module: Module; command: string };

const forks = 25;
const isInstalled = () => findBinary('ansible-playbook', undefined) !== undefined;

/** Sets up Ansible with the options that its documentation recommends for speed. */
export async function openAnsible<N extends string>(
  bench: Workbench,
  hosts: readonly AnsibleHost[],
  plays: Readonly<Record<N, Play>>,
) {
  await ensureAnsible(bench);
  const folder = join(bench.folder, 'ansible');
  mkdirSync(folder, { mode: 0o700 });
  const inventory = join(folder, 'hosts');
  writeFileSync(inventory, `${hosts.map((host, index) => inventoryLine(folder, host, index)).join('\n')}\n`);
  const names = Object.keys(plays) as N[];
  for (const name of names) writeFileSync(playbookPath(folder, name), playbook(plays[name]));
  const env = {
    PATH: searchPath(),
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    ANSIBLE_PIPELINING: '1',
    ANSIBLE_HOST_KEY_CHECKING: '0',
    // One sshd drops some of many simultaneous connections with its default settings.
    ANSIBLE_SSH_RETRIES: '5',
    ANSIBLE_SSH_ARGS: '-C -o ControlMaster=auto -o ControlPersist=600s',
  };
  return {
    /** Throws unless every host answered. */
    run: async (name: N): Promise<RivalUsage> => {
      const args = ['-i', inventory, '-f', `${forks}`, playbookPath(folder, name)];
      const { output, ...usage } = await runMeasured(['ansible-playbook', ...args], { env });
      const answered = output.match(/^h\d+ +: ok=1 .*unreachable=0 +failed=0/gm)?.length ?? 0;
      if (answered !== hosts.length) throw new Error(`${answered} hosts answered Ansible:\n${output.slice(-2_000)}`);
      return usage;
    },
  };
}

async function ensureAnsible(bench: Workbench): Promise<void> {
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  if (!isInstalled() && canInstall()) bench.step(fr`installe Ansible`);
  if (!isInstalled() && canInstall()) await install(children, ['ansible-core'], isInstalled);
  if (!isInstalled()) throw new Refusal(fr`Pas de comparaison sans Ansible : il manque le paquet ansible-core.`);
}

const playbookPath = (folder: string, name: string) => join(folder, `${name}.yml`);

/** Opens one connection for each host, even where several hosts share a port. */
function inventoryLine(
  folder: string,
  { port, privateKey, user = 'sh', variables = {} }: AnsibleHost,
  index: number,
): string {
  const key = join(folder, `${index}.key`);
  writeFileSync(key, privateKey, { mode: 0o600 });
  const connectionVariables = {
    host: '127.0.0.1',
    port,
    user,
    ssh_private_key_file: key,
    control_path: join(folder, `${index}`),
    python_interpreter: '/usr/bin/python3',
  };
  const assignments = Object.entries(connectionVariables).map(([name, value]) => `ansible_${name}=${value}`);
  return [`h${index}`, ...assignments, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)].join(
    ' ',
  );
}

const playbook = ({ module, command }: Play) =>
  JSON.stringify([
    {
      hosts: 'all',
      gather_facts: false,
      tasks: [{ [`ansible.builtin.${module}`]: command }],
    },
  ]);
