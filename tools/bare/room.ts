import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { readProc } from '../proc';
import { waitFor } from '../start/wait';
import { Refusal, fr } from '../terminal';

/**
 * The first process of a Debian of its own. The kernel reaps the children that it adopts, as it ignores their end (a shell
 * cannot: dash sets a handler, and its `read` fails when one ends). It lives until its standard input closes, which a
 * killed tool cannot forget, and all others end with it. Its root is a mount, as that of a machine is: df tells of no other.
 */
const init = `set -e
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount --bind -o ro /sys "$0/sys"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$0/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
exec chroot "$0" env --ignore-signal=CHLD cat`;

type Typing = { folder: string; env: NodeJS.ProcessEnv; log: (line: string) => void };

/** A folder with a Debian, entered: with mounts and process ids of its own. */
export class Room {
  private constructor(
    private readonly child: ChildProcess,
    private readonly pid: number,
    private readonly namespace: string,
  ) {}

  static async open(folder: string): Promise<Room> {
    const apart = ['--mount', '--propagation', 'private', '--pid', '--ipc', '--fork', '--kill-child'];
    const child = spawn('unshare', [...apart, '/bin/sh', '-c', init, folder], { detached: true });
    // Cat says it again once it is there.
    child.stdin.on('error', () => {}).write('ready\n');
    let said = '';
    const hear = (bytes: Buffer) => (said += bytes.toString());
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const ended = once(child, 'close').then(() => true);
    const isReady = waitFor(async () => said.includes('ready'), { timeoutMs: 30_000 }).then((is) => !is);
    if (await Promise.race([ended, isReady]))
      throw new Refusal(fr`Une racine à part ne peut pas être faite ici : ${said.trim()}`);
    const [pid] = childrenOf(child.pid ?? 0);
    return new Room(child, pid ?? 0, readlinkSync(`/proc/${pid}/ns/pid`));
  }

  /** Types a command in a folder, as at a terminal: in a process group of its own. */
  type(words: readonly string[], { folder, env, log }: Typing): Command {
    const entering = ['--target', `${this.pid}`, '--mount', '--pid', '--ipc', '--root', '--wd', 'setsid'];
    const inside = ['/bin/sh', '-c', `cd ${folder} && exec "$0" "$@"`, ...words];
    return new Command(
      spawn('nsenter', [...entering, ...inside], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
      log,
    );
  }

  /** The names of the processes in it, but for the first. */
  processes(): string[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== `${this.pid}`);
    return pids
      .filter((pid) => namespaceOf(pid) === this.namespace)
      .map((pid) => readProc(`${pid}/cmdline`).replaceAll('\0', ' ').trim());
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    process.kill(this.pid, 'SIGKILL');
    await ended;
  }
}

/** Of this machine: a mount that outlives its namespace would be seen here. */
export const mountsBelow = (folder: string) =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.split(' ')[1]?.startsWith(`${folder}/`));

export class Command {
  /** All of it, with plain spaces. */
  printed = '';
  heardAt = performance.now();
  /** How it ended, once it has: the code, or the signal. */
  end: number | NodeJS.Signals | undefined;
  private line = '';

  constructor(
    private readonly child: ChildProcess,
    private readonly log: (line: string) => void,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.hear(text));
    child.once('close', (code, signal) => {
      this.end = code ?? signal ?? undefined;
    });
  }

  /** As Ctrl-C does, which reaches the whole group; gives whether it ended within `graceMs`. */
  async interrupt(graceMs: number): Promise<boolean> {
    const [leader] = childrenOf(this.child.pid ?? 0);
    if (leader !== undefined) process.kill(-leader, 'SIGINT');
    return waitFor(async () => this.end !== undefined, { timeoutMs: graceMs });
  }

  private hear(text: string): void {
    const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ');
    this.printed += plain;
    this.heardAt = performance.now();
    const lines = `${this.line}${text}`.split('\n');
    this.line = lines.pop() ?? '';
    for (const line of lines) this.log(line);
  }
}

const childrenOf = (pid: number) =>
  readProc(`${pid}/task/${pid}/children`)
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}
