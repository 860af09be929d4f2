import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendTo } from '@vigie/testing/signals';
import { type Process, processesIn } from '../processes.mjs';
import { readProc } from '../proc';
import { inherited, root } from '../start/env';
import { waitFor } from '../start/wait';

/** A signal to the tool only, or the sudden death of the npm that started it. */
export const interrupts = ['SIGINT', 'SIGTERM', 'npm'] as const;
export type Interrupt = (typeof interrupts)[number];

/** How long the end took, and what was left by then. */
export type EndResult = { ms: number; leftovers: string[] };

const maxEndMs = 10_000;

/** A run of a tool with its own temporary folder, by which its processes and files are found. */
export class Run {
  printed = '';
  private readonly outsideFolders = new Set<string>();
  private readonly watch = setInterval(() => this.recordOutsideFolders(), 100);

  private constructor(
    private readonly folder: string,
    private readonly parent: ChildProcess,
  ) {
    for (const stream of [parent.stdout, parent.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
  }

  /** Starts the tool with npm, or with a shell in its place. */
  static start(command: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
    const folder = mkdtempSync(join(tmpdir(), 'e-'));
    // Servers that run as another user must be able to enter it.
    chmodSync(folder, 0o755);
    const [file = '', ...args] = command;
    const toolEnv = { ...inherited, ...env, TMPDIR: folder, npm_lifecycle_event: 'ends' };
    return new Run(folder, spawn(file, args, { cwd: root, env: toolEnv, stdio: 'pipe', detached: true }));
  }

  get isOver(): boolean {
    return this.parent.exitCode !== null || this.parent.signalCode !== null;
  }

  get hasSucceeded(): boolean {
    return this.parent.exitCode === 0;
  }

  get processes(): Process[] {
    return processesIn([this.folder, ...this.outsideFolders]);
  }

  /** Interrupts the tool, measures how long it takes until nothing is left, and ends what is left after the limit. */
  async interrupt(interrupt: Interrupt): Promise<EndResult> {
    this.recordOutsideFolders();
    const startedAt = performance.now();
    if (interrupt === 'npm') this.parent.kill('SIGKILL');
    else sendTo(this.toolPid(), interrupt);
    const hasNoLeftovers = async () => this.leftovers().length === 0;
    const hasEnded = await waitFor(hasNoLeftovers, { timeoutMs: maxEndMs, everyMs: 200 });
    const result = { ms: performance.now() - startedAt, leftovers: hasEnded ? [] : this.leftovers() };
    this.sweep();
    return result;
  }

  /** Ends all processes of the run and removes its folders. */
  sweep(): void {
    clearInterval(this.watch);
    for (const { pid } of this.processes) sendTo(pid, 'SIGKILL');
    for (const folder of [...this.outsideFolders, this.folder]) rmSync(folder, { recursive: true, force: true });
  }

  /** Processes, files of the temporary folder, and folders that the tool made elsewhere. */
  leftovers(): string[] {
    const files = existsSync(this.folder) ? readdirSync(this.folder) : [];
    const folders = [...this.outsideFolders].filter((folder) => existsSync(folder));
    return [...this.processes.map(({ pid, name }) => `${name} (${pid})`), ...files, ...folders];
  }

  private toolPid(): number {
    const isTool = ({ pid }: Process) => /^[^\0]*node\0tools\/run\.mjs\0/.test(readProc(`${pid}/cmdline`));
    const tool = this.processes.find(isTool);
    if (!tool) throw new Error(`the tool has not started:\n${this.printed}`);
    return tool.pid;
  }

  private recordOutsideFolders(): void {
    if (!existsSync(this.folder)) return;
    for (const run of readdirSync(this.folder).filter((name) => name.startsWith('vigie-run-'))) {
      const runFolder = join(this.folder, run);
      for (const name of listFolder(runFolder))
        if (name.startsWith('elsewhere-')) this.recordLink(join(runFolder, name));
    }
  }

  private recordLink(link: string): void {
    try {
      this.outsideFolders.add(readlinkSync(link));
    } catch {
      // The tool has just removed the link.
    }
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
