import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from '../start/binaries';
import { searchPath } from '../start/env';
import { Refusal, fr } from '../terminal';
import { canInstall, install } from '../test/apt';
import { Children } from '../test/children';
import { runCounted, type Rivalled } from './counted';
import type { Workbench } from './workbench';

export type AnsibleHost = { port: number; privateKey: string; user?: string; variables?: Record<string, string> };
type Module = 'shell' | 'raw';
/** What each host does, by the module that takes it there. */
export type Play = { module: Module; command: string };

const forks = 25;
const isHere = () => findBinary('ansible-playbook', undefined) !== undefined;

/** Ansible as its documentation tells to make it fast. */
export async function openAnsible<N extends string>(
  bench: Workbench,
  hosts: readonly AnsibleHost[],
  plays: Readonly<Record<N, Play>>,
) {
  await ensureAnsible(bench);
  const folder = join(bench.folder, 'ansible');
  mkdirSync(folder, { mode: 0o700 });
  const inventory = join(folder, 'hosts');
  writeFileSync(inventory, `${hosts.map((host, place) => lineOf(folder, host, place)).join('\n')}\n`);
  const names = Object.keys(plays) as N[];
  for (const name of names) writeFileSync(playbookOf(folder, name), playbook(plays[name]));
  const env = {
    PATH: searchPath(),
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    ANSIBLE_PIPELINING: '1',
    ANSIBLE_HOST_KEY_CHECKING: '0',
    // Many at once at one sshd: it drops some by its defaults.
    ANSIBLE_SSH_RETRIES: '5',
    ANSIBLE_SSH_ARGS: '-C -o ControlMaster=auto -o ControlPersist=600s',
  };
  return {
    /** How long it took, and what it cost here; throws unless each of them answered. */
    look: async (name: N): Promise<Rivalled> => {
      const args = ['-i', inventory, '-f', `${forks}`, playbookOf(folder, name)];
      const { printed, ...taken } = await runCounted(['ansible-playbook', ...args], { env });
      const answered = printed.match(/^h\d+ +: ok=1 .*unreachable=0 +failed=0/gm)?.length ?? 0;
      if (answered !== hosts.length) throw new Error(`${answered} hosts answered Ansible:\n${printed.slice(-2_000)}`);
      return taken;
    },
  };
}

async function ensureAnsible(bench: Workbench): Promise<void> {
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  if (!isHere() && canInstall()) bench.step(fr`installe Ansible`);
  if (!isHere() && canInstall()) await install(children, ['ansible-core'], isHere);
  if (!isHere()) throw new Refusal(fr`Pas de comparaison sans Ansible : il manque le paquet ansible-core.`);
}

const playbookOf = (folder: string, name: string) => join(folder, `${name}.yml`);

/** One connection each, whatever is behind their ports. */
function lineOf(folder: string, { port, privateKey, user = 'sh', variables = {} }: AnsibleHost, place: number): string {
  const key = join(folder, `${place}.key`);
  writeFileSync(key, privateKey, { mode: 0o600 });
  const own = {
    host: '127.0.0.1',
    port,
    user,
    ssh_private_key_file: key,
    control_path: join(folder, `${place}`),
    python_interpreter: '/usr/bin/python3',
  };
  const said = Object.entries(own).map(([name, value]) => `ansible_${name}=${value}`);
  return [`h${place}`, ...said, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)].join(' ');
}

const playbook = ({ module, command }: Play) =>
  JSON.stringify([
    {
      hosts: 'all',
      gather_facts: false,
      tasks: [{ [`ansible.builtin.${module}`]: command }],
    },
  ]);
