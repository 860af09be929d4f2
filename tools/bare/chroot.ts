import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { readProc } from '../proc';
import { waitFor } from '../start/wait';
import { Refusal, fr } from '../terminal';

/**
 * The first process of the Debian. It ignores SIGCHLD, so the kernel reaps the orphans that it adopts (a shell cannot do
 * this: dash sets a handler, and its `read` fails when a child ends). It runs until its standard input closes, which also
 * happens when the tool is killed, and all other processes end with it. Its root is a mount, because df needs one.
 */
const init = `set -e
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount --bind -o ro /sys "$0/sys"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$0/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
exec chroot "$0" env --ignore-signal=CHLD cat`;

type RunOptions = { folder: string; env: NodeJS.ProcessEnv; log: (line: string) => void };

/** An entered Debian folder, with its own mount and process namespaces. */
export class Chroot {
  private constructor(
    private readonly child: ChildProcess,
    private readonly pid: number,
    private readonly namespace: string,
  ) {}

  static async open(folder: string): Promise<Chroot> {
    const unshareOptions = ['--mount', '--propagation', 'private', '--pid', '--ipc', '--fork', '--kill-child'];
    const child = spawn('unshare', [...unshareOptions, '/bin/sh', '-c', init, folder], { detached: true });
    // `cat` echoes the line once it runs.
    child.stdin.on('error', () => {}).write('ready\n');
    let output = '';
    const append = (bytes: Buffer) => (output += bytes.toString());
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    const ended = once(child, 'close').then(() => true);
    const isReady = waitFor(async () => output.includes('ready'), { timeoutMs: 30_000 }).then((isTrue) => !isTrue);
    if (await Promise.race([ended, isReady]))
      throw new Refusal(fr`Une racine à part ne peut pas être faite ici : ${output.trim()}`);
    const [pid] = childrenOf(child.pid ?? 0);
    return new Chroot(child, pid ?? 0, readlinkSync(`/proc/${pid}/ns/pid`));
  }

  /** Runs a command in a folder as a terminal does, in a process group of its own. */
  run(words: readonly string[], { folder, env, log }: RunOptions): Command {
    const nsenterOptions = ['--target', `${this.pid}`, '--mount', '--pid', '--ipc', '--root', '--wd', 'setsid'];
    const shellCommand = ['/bin/sh', '-c', `cd ${folder} && exec "$0" "$@"`, ...words];
    return new Command(
      spawn('nsenter', [...nsenterOptions, ...shellCommand], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
      log,
    );
  }

  /** The command lines of all its processes except the first. */
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

/** The mounts of this machine below a folder: a mount that outlives its namespace would appear here. */
export const mountsBelow = (folder: string) =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.split(' ')[1]?.startsWith(`${folder}/`));

export class Command {
  /** The whole output, with plain spaces. */
  printed = '';
  lastOutputAt = performance.now();
  /** The exit code or signal, once the command has ended. */
  exit: number | NodeJS.Signals | undefined;
  private line = '';

  constructor(
    private readonly child: ChildProcess,
    private readonly log: (line: string) => void,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.append(text));
    child.once('close', (code, signal) => {
      this.exit = code ?? signal ?? undefined;
    });
  }

  /** Interrupts the whole process group as Ctrl-C does; resolves to whether the command ended within `graceMs`. */
  async interrupt(graceMs: number): Promise<boolean> {
    const [leader] = childrenOf(this.child.pid ?? 0);
    if (leader !== undefined) process.kill(-leader, 'SIGINT');
    return waitFor(async () => this.exit !== undefined, { timeoutMs: graceMs });
  }

  private append(text: string): void {
    const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ');
    this.printed += plain;
    this.lastOutputAt = performance.now();
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
