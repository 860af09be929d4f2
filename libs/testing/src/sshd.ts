import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countStart } from './counts';
import { hostCommand, isOnHost, onHost } from './host-root';
import { freePort } from './ports';
import { sendTo } from './signals';

type Program = 'sshd' | 'dropbear';
type Options = {
  program?: Program;
  /** Lines of sshd_config, which precede the defaults and so override them. */
  settings?: readonly string[];
  /** Files of the home folder that all users share. */
  home?: Readonly<Record<string, string>>;
  port?: number;
  /** Uses BusyBox for the shell and all tools. */
  isBusybox?: boolean;
  /** Users with their own uid and home folder, which only root can create. Sessions resolve their names. */
  users?: readonly User[];
  /** Folder to keep with its keys; without it a temporary one is removed at the end. */
  folder?: string;
};
type User = { name: string; uid: number; gid: number };

const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin'];
const findProgram = (name: string) => folders.map((folder) => join(folder, name)).find((file) => isOnHost(file));
/** Default users, named after their shells. */
const shells = ['sh', 'bash', 'rbash', 'tcsh', 'fish', 'nologin'];

/** Whether this OpenSSH has PerSourcePenalties (9.8), by the client's version. */
function hasPenalties(): boolean {
  const [, major, minor] =
    /OpenSSH_(\d+)\.(\d+)/.exec(spawnSync(...hostCommand('ssh', ['-V']), { encoding: 'utf8' }).stderr) ?? [];
  return Number(major) > 9 || (Number(major) === 9 && Number(minor) >= 8);
}

/** libnss_wrapper, which gives a process its own users, and its own hosts with NSS_WRAPPER_HOSTS. */
export const findWrapper = () =>
  ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/libnss_wrapper.so`)
    .find((file) => isOnHost(file));

/** Why this machine cannot run a host with this user, as the end of a French sentence; undefined when it can. */
export function hostUnavailableReason(program: Program = 'sshd', user = 'sh'): string | undefined {
  const missing = [program, 'ssh-keygen'].find((name) => !findProgram(name));
  if (missing !== undefined) return `${missing} n’est pas installé`;
  if (!findWrapper()) return 'libnss-wrapper n’est pas installé';
  return findProgram(user) ? undefined : `${user} n’est pas installé`;
}

/** Why this machine cannot run a host with BusyBox only. */
export function reasonWithoutBusybox(): string | undefined {
  if (!findProgram('busybox')) return 'busybox n’est pas installé';
  const { status } = spawnSync('unshare', ['-m', 'mount', '--bind', '/bin/sh', '/bin/sh']);
  return status === 0 ? hostUnavailableReason() : 'cet utilisateur ne peut pas monter de système de fichiers';
}

export const hostPassword = 'pâss “wörd” $x';

/**
 * A private SSH server on its own port. libnss_wrapper replaces the machine's users by a password file in which each
 * shell is a user, with this process's uid and a shared home folder.
 */
export class SshHost {
  log = '';
  private child: ChildProcess | undefined;
  private command: readonly string[] = [];

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly isKept: boolean,
  ) {}

  static async start(options: Options = {}): Promise<SshHost> {
    countStart('hosts');
    const { program = 'sshd', home = {}, port, isBusybox, users = [] } = options;
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'vigie-host-'));
    const host = new SshHost(port ?? (await freePort()), folder, options.folder !== undefined);
    host.prepare(home, users);
    const settings = [...(options.settings ?? []), ...(users.length > 0 ? [host.nameSettings()] : [])];
    if (isBusybox) host.run(host.commandInBusybox(host.sshd([...settings, `SetEnv PATH=${host.folder}/bin`])));
    else host.run(program === 'sshd' ? host.sshd(settings) : host.dropbear());
    await host.listening();
    return host;
  }

  get privateKey(): string {
    return readFileSync(join(this.folder, 'user'), 'utf8');
  }

  get otherKey(): string {
    return readFileSync(join(this.folder, 'other'), 'utf8');
  }

  get hostKey(): string {
    const { stdout } = spawnSync('ssh-keygen', ['-l', '-f', join(this.folder, 'host.pub')], { encoding: 'utf8' });
    return stdout.split(' ')[1] ?? '';
  }

  get home(): string {
    return join(this.folder, 'home');
  }

  signal(name: NodeJS.Signals): void {
    for (const pid of this.processes()) sendTo(pid, name);
  }

  /** Kills all sessions, as a reboot does, and continues to listen. */
  cutSessions(): void {
    for (const pid of this.processes().slice(1)) sendTo(pid, 'SIGKILL');
  }

  /** Pids of the server and its sessions, the server first. */
  processes(): number[] {
    const tree = this.child?.pid === undefined ? [] : [this.child.pid];
    for (const pid of tree) tree.push(...childrenOf(pid));
    return tree;
  }

  /** Pids of all processes of the host's users, found by their home folder. */
  userProcesses(): number[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const isOurs = (text: string) => text.startsWith(`HOME=${this.folder}/`);
    return pids.map(Number).filter((pid) => environmentOf(pid).some(isOurs));
  }

  async stop(): Promise<void> {
    await this.end();
    if (!this.isKept) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Restarts the server around `meanwhile`, as a reboot that spares detached processes. */
  async restart(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.end();
    await meanwhile();
    this.run(this.command);
    await this.listening();
  }

  private async end(): Promise<void> {
    this.signal('SIGKILL');
    if (this.child?.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    // A leftover process of a session may keep the streams open.
    this.child?.stdout?.destroy();
    this.child?.stderr?.destroy();
  }

  private prepare(home: Readonly<Record<string, string>>, ownUsers: readonly User[]): void {
    const { folder } = this;
    mkdirSync(folder, { recursive: true });
    for (const name of ['host', 'user', 'other'].filter((key) => !existsSync(join(folder, key)))) {
      const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
      if (made.status !== 0) throw new Error(`ssh-keygen: ${made.stderr.toString()}`);
    }
    mkdirSync(join(this.home, '.ssh'), { recursive: true, mode: 0o700 });
    writeFileSync(join(this.home, '.ssh/authorized_keys'), readFileSync(join(folder, 'user.pub')), { mode: 0o600 });
    for (const [name, text] of Object.entries(home)) writeFileSync(join(this.home, name), text);
    if (ownUsers.length > 0) chmodSync(folder, 0o711);
    for (const user of ownUsers) this.makeHome(user);
    const id = `${process.getuid?.()}:${process.getgid?.()}`;
    const users = shells.map((shell) => `${shell}:x:${id}::${this.home}:${findProgram(shell) ?? '/bin/sh'}`);
    const hash = spawnSync('openssl', ['passwd', '-6', '-stdin'], { input: `${hostPassword}\n`, encoding: 'utf8' });
    users.push(...ownUsers.map(({ name, uid, gid }) => `${name}:x:${uid}:${gid}::${this.homeOf(name)}:/bin/sh`));
    const groups = ['root:x:0:', 'nogroup:x:65534:', ...ownUsers.map(({ name, gid }) => `${name}:x:${gid}:`)];
    const names = [...shells, ...ownUsers.map(({ name }) => name)];
    writeFileSync(join(folder, 'passwd'), `${users.join('\n')}\nsshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n`);
    writeFileSync(join(folder, 'group'), `${groups.join('\n')}\n`);
    const shadow = names.map((name) => `${name}:${hash.stdout.trim()}:19000:0:99999:7:::\n`);
    writeFileSync(join(folder, 'shadow'), shadow.join(''), { mode: 0o600 });
  }

  readonly homeOf = (name: string) => join(this.folder, `home-${name}`);

  /** Changes a home folder only while it is new, because its owner could place links there that mislead root. */
  private makeHome({ name, uid, gid }: User): void {
    const [home, keys] = [this.homeOf(name), join(this.folder, 'keys')];
    mkdirSync(keys, { recursive: true, mode: 0o755 });
    writeFileSync(join(keys, name), readFileSync(join(this.folder, 'user.pub')), { mode: 0o644 });
    if (existsSync(home)) return;
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, uid, gid);
  }

  private nameSettings(): string {
    const files = { PASSWD: 'passwd', GROUP: 'group' };
    const lines = Object.entries(files).map(([name, file]) => `NSS_WRAPPER_${name}=${join(this.folder, file)}`);
    return `SetEnv LD_PRELOAD=${findWrapper()} ${lines.join(' ')}`;
  }

  private sshd(settings: readonly string[]): string[] {
    const { folder, port } = this;
    // The chroot of sshd's unprivileged process, needed only for root.
    if (process.getuid?.() === 0) mkdirSync(onHost('/run/sshd'), { recursive: true, mode: 0o755 });
    const defaults = [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${folder}/host`,
      `AuthorizedKeysFile .ssh/authorized_keys ${folder}/keys/%u`,
      'PermitRootLogin yes',
      'PasswordAuthentication yes',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      'StrictModes no',
      'UseDNS no',
      'PidFile none',
      'Subsystem sftp internal-sftp',
      // All tests share one client address, and many logins fail on purpose.
      ...(hasPenalties() ? ['PerSourcePenalties no'] : []),
    ];
    writeFileSync(join(folder, 'config'), `${[...settings, ...defaults].join('\n')}\n`);
    return ['sshd', '-D', '-e', '-f', join(folder, 'config')];
  }

  private dropbear(): string[] {
    const { folder, port } = this;
    const key = join(folder, 'dropbear');
    spawnSync('dropbearconvert', ['openssh', 'dropbear', join(folder, 'host'), key]);
    return ['dropbear', '-F', '-E', '-p', `127.0.0.1:${port}`, '-r', key, '-P', join(folder, 'pid')];
  }

  /** Mounts BusyBox over /bin/sh in a private mount namespace. */
  private commandInBusybox([program = '', ...args]: string[]): string[] {
    const busybox = findProgram('busybox') ?? '';
    mkdirSync(join(this.folder, 'bin'));
    spawnSync(busybox, ['--install', '-s', join(this.folder, 'bin')]);
    const mounting = 'mount --bind "$0" "$(readlink -f /bin/sh)" && exec "$@"';
    return ['unshare', '-m', '/bin/sh', '-c', mounting, busybox, findProgram(program) ?? program, ...args];
  }

  private run(command: readonly string[]): void {
    this.command = command;
    const [program = '', ...args] = command;
    const file = (name: string) => join(this.folder, name);
    // Ends the server when the test process is killed.
    const untilDeath = ['--pdeathsig', 'TERM', '--', findProgram(program) ?? program, ...args];
    this.child = spawn(...hostCommand(findProgram('setpriv') ?? 'setpriv', untilDeath), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: folders.join(':'),
        LD_PRELOAD: findWrapper(),
        NSS_WRAPPER_PASSWD: file('passwd'),
        NSS_WRAPPER_GROUP: file('group'),
        NSS_WRAPPER_SHADOW: file('shadow'),
      },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.log += text));
  }

  /** Waits until the kernel lists the port; a test connection would count as an unfinished login. */
  private async listening(): Promise<void> {
    const local = `0100007F:${this.port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
    while (!readFileSync('/proc/net/tcp', 'utf8').includes(local)) {
      if (this.child?.exitCode !== null) throw new Error(`the SSH server stopped:\n${this.log}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
