import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from '../start/binaries';
import { runCommand } from '../start/command';
import { Refusal, fr } from '../start/console';
import { root, searchPath } from '../start/env';
import { canInstall, install } from '../test/apt';
import { Children } from '../test/children';
import type { Workbench } from './workbench';

export type AnsibleHost = { port: number; privateKey: string };
type Module = 'shell' | 'raw';

const probe = join(root, 'apps/ssh-agent/src/server-health/vitals.sh');
const forks = 25;
const isHere = () => findBinary('ansible-playbook', undefined) !== undefined;

/** Ansible as its documentation tells to make it fast. */
export async function openAnsible(bench: Workbench, hosts: readonly AnsibleHost[]) {
  await ensureAnsible(bench);
  const folder = join(bench.folder, 'ansible');
  mkdirSync(folder, { mode: 0o700 });
  const inventory = join(folder, 'hosts');
  writeFileSync(inventory, `${hosts.map((host, place) => lineOf(folder, host, place)).join('\n')}\n`);
  for (const module of ['shell', 'raw'] as const) writeFileSync(playbookOf(folder, module), playbook(module));
  const env = {
    PATH: searchPath(),
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    ANSIBLE_PIPELINING: '1',
    ANSIBLE_HOST_KEY_CHECKING: '0',
    ANSIBLE_SSH_ARGS: '-C -o ControlMaster=auto -o ControlPersist=600s',
  };
  return {
    /** In milliseconds; throws unless each of them answered. */
    look: async (module: Module): Promise<number> => {
      const since = performance.now();
      const args = ['-i', inventory, '-f', `${forks}`, playbookOf(folder, module)];
      const printed = await runCommand('ansible-playbook', args, { env });
      const ms = performance.now() - since;
      const answered = printed.match(/^h\d+ +: ok=1 .*unreachable=0 +failed=0/gm)?.length ?? 0;
      if (answered !== hosts.length) throw new Error(`${answered} hosts answered Ansible:\n${printed.slice(-2_000)}`);
      return ms;
    },
  };
}

async function ensureAnsible(bench: Workbench): Promise<void> {
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  if (!isHere() && canInstall()) await install(children, ['ansible-core'], isHere);
  if (!isHere()) throw new Refusal(fr`Pas de comparaison sans Ansible : il manque le paquet ansible-core.`);
}

const playbookOf = (folder: string, module: Module) => join(folder, `${module}.yml`);

/** One connection each, whatever is behind their ports. */
function lineOf(folder: string, { port, privateKey }: AnsibleHost, place: number): string {
  const key = join(folder, `${place}.key`);
  writeFileSync(key, privateKey, { mode: 0o600 });
  const variables = {
    host: '127.0.0.1',
    port,
    user: 'sh',
    ssh_private_key_file: key,
    control_path: join(folder, `${place}`),
    python_interpreter: '/usr/bin/python3',
  };
  const said = Object.entries(variables).map(([name, value]) => `ansible_${name}=${value}`);
  return [`h${place}`, ...said].join(' ');
}

const playbook = (module: Module) =>
  JSON.stringify([
    {
      hosts: 'all',
      gather_facts: false,
      tasks: [{ [`ansible.builtin.${module}`]: `{% raw %}${readFileSync(probe, 'utf8')}{% endraw %}` }],
    },
  ]);
