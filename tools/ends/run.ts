import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendTo } from '@vigie/testing/signals';
import { type Process, processesIn } from '../processes.mjs';
import { readProc } from '../proc';
import { inherited, root } from '../start/env';
import { waitFor } from '../start/wait';

/** A signal to the tool alone, or the sudden death of the npm that started it. */
export const interrupts = ['SIGINT', 'SIGTERM', 'npm'] as const;
export type Interrupt = (typeof interrupts)[number];

/** What was still there after `ms`: nothing, where it came to an end before. */
export type Ending = { ms: number; left: string[] };

const promisedMs = 10_000;

/** A tool with a temporary folder of its own, in which everything of it can be found. */
export class Run {
  /** What it printed, on both streams. */
  printed = '';
  private readonly elsewhere = new Set<string>();
  private readonly watch = setInterval(() => this.noteElsewhere(), 100);

  private constructor(
    private readonly folder: string,
    private readonly parent: ChildProcess,
  ) {
    for (const stream of [parent.stdout, parent.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
  }

  /** By npm, or by a shell that stands where npm would. */
  static start(command: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
    const folder = mkdtempSync(join(tmpdir(), 'e-'));
    // Servers that run as another user pass through it.
    chmodSync(folder, 0o755);
    const [file = '', ...args] = command;
    const own = { ...inherited, ...env, TMPDIR: folder, npm_lifecycle_event: 'ends' };
    return new Run(folder, spawn(file, args, { cwd: root, env: own, stdio: 'pipe', detached: true }));
  }

  get isOver(): boolean {
    return this.parent.exitCode !== null || this.parent.signalCode !== null;
  }

  get hasSucceeded(): boolean {
    return this.parent.exitCode === 0;
  }

  get processes(): Process[] {
    return processesIn([this.folder, ...this.elsewhere]);
  }

  /** Interrupts it, and says how long it took until nothing of it was left; what is left by then is ended here. */
  async interrupt(how: Interrupt): Promise<Ending> {
    this.noteElsewhere();
    const since = performance.now();
    if (how === 'npm') this.parent.kill('SIGKILL');
    else sendTo(this.tool(), how);
    const isGone = async () => this.left().length === 0;
    const hasEnded = await waitFor(isGone, { timeoutMs: promisedMs, everyMs: 200 });
    const ending = { ms: performance.now() - since, left: hasEnded ? [] : this.left() };
    this.sweep();
    return ending;
  }

  /** For a run that ended by itself, or was interrupted: nothing of it stays. */
  sweep(): void {
    clearInterval(this.watch);
    for (const { pid } of this.processes) sendTo(pid, 'SIGKILL');
    for (const place of [...this.elsewhere, this.folder]) rmSync(place, { recursive: true, force: true });
  }

  /** Processes, the files of its temporary folder, and those that had to be made elsewhere. */
  left(): string[] {
    const files = existsSync(this.folder) ? readdirSync(this.folder) : [];
    const places = [...this.elsewhere].filter((place) => existsSync(place));
    return [...this.processes.map(({ pid, name }) => `${name} (${pid})`), ...files, ...places];
  }

  private tool(): number {
    const isTool = ({ pid }: Process) => /^[^\0]*node\0tools\/run\.mjs\0/.test(readProc(`${pid}/cmdline`));
    const tool = this.processes.find(isTool);
    if (!tool) throw new Error(`the tool has not begun:\n${this.printed}`);
    return tool.pid;
  }

  private noteElsewhere(): void {
    if (!existsSync(this.folder)) return;
    for (const run of readdirSync(this.folder).filter((name) => name.startsWith('vigie-run-'))) {
      const inside = join(this.folder, run);
      for (const name of namesIn(inside)) if (name.startsWith('elsewhere-')) this.note(join(inside, name));
    }
  }

  private note(link: string): void {
    try {
      this.elsewhere.add(readlinkSync(link));
    } catch {
      // It is removed at this moment.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
