import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fr } from '../terminal';
import { CommandError, runCommand } from './command';
import { inherited } from './env';

const quiet = { LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
/** With the operator's proxies, and the folders that dpkg looks for its tools in. */
export const aptEnv = () => ({ ...inherited, ...quiet, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' });
const options = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];

export type RunOptions = { isCritical: boolean; onOutput?: ((text: string) => void) | undefined };
/** Gives what a command printed, and throws a CommandError where it failed. */
export type Run = (file: string, args: readonly string[], options: RunOptions) => Promise<string>;

const runHere: Run = (file, args, given) => runCommand(file, args, { ...given, env: aptEnv() });

/** One need of packages, and all that apt-get and dpkg said while it was met. */
export class Apt {
  private said = '';

  constructor(private readonly run: Run = runHere) {}

  get(args: readonly string[], given: RunOptions = { isCritical: false }): Promise<string> {
    return this.keep('apt-get', [...options, ...args], given);
  }

  /** Ends what an earlier run was cut short in: apt-get refuses to work before that. */
  async configure(): Promise<void> {
    await this.keep('dpkg', ['--configure', '-a'], { isCritical: true }).catch(() => {});
  }

  /** Writes down what was said, in `file` or where there is none in a temporary one, and names it. */
  write(file: string = join(mkdtempSync(join(tmpdir(), 'vigie-packages-')), 'packages.log')): string {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, this.said, { mode: 0o600 });
    this.said = '';
    return file;
  }

  private async keep(file: string, args: readonly string[], given: RunOptions): Promise<string> {
    this.said += `${new Date().toISOString()} ${file} ${args.join(' ')}\n`;
    try {
      const printed = await this.run(file, args, given);
      this.said += `${printed.trimEnd()}\n`;
      return printed;
    } catch (error) {
      this.said += `${error instanceof CommandError ? error.printed.trimEnd() : String(error)}\n`;
      throw error;
    }
  }
}

const maxLines = 8;
const isReason = (line: string) => /^(E: |(dpkg|dpkg-deb|dpkg-divert|tar|debconf): )/.test(line);
const isProgress = (line: string) =>
  /^(Setting up|Unpacking|Preparing to unpack|Selecting|Processing triggers|Get:|Hit:|\(Reading)/.test(line);
/** It says only that one of the others was the reason. */
const isSummary = (line: string) => line.startsWith('E: Sub-process ');

/**
 * The lines of apt-get and dpkg that say why they failed. What a package's own script printed stands before dpkg's line,
 * and how it ended stands after it.
 */
export function whyAptFailed(printed: string): string {
  const lines = printed.split('\n').map((line) => line.trimEnd());
  const reasons = lines.flatMap((line, at) => {
    if (!isReason(line) || isSummary(line)) return [];
    const [before = '', after = ''] = [lines[at - 1], lines[at + 1]];
    const isOfScript = line.startsWith('dpkg: error') && !isProgress(before) && !isReason(before);
    return [...(isOfScript ? [before] : []), line, ...(after.startsWith(' ') ? [after] : [])];
  });
  const told = reasons.length > 0 ? reasons.slice(0, maxLines) : lines.filter((line) => line !== '').slice(-3);
  return [...new Set(told.map((line) => line.trim()))].filter((line) => line !== '').join('\n  ');
}

export function aptFailure(names: readonly string[], printed: string, file: string): string {
  return fr`L’installation des paquets ${names.join(', ')} a échoué :\n  ${whyAptFailed(printed)}\nTout ce qu’apt-get a dit est dans ${file}.`;
}
