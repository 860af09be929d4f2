import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fr } from '../terminal';
import { CommandError, runCommand } from './command';
import { inherited } from './env';

const quietEnv = { LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
/** Includes the operator's proxies, and the folders where dpkg expects its tools. */
export const aptEnv = () => ({ ...inherited, ...quietEnv, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' });
const options = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];

export type RunOptions = { isCritical: boolean; onOutput?: ((text: string) => void) | undefined };
/** Resolves to the output of a command, or throws a CommandError. */
export type Run = (file: string, args: readonly string[], options: RunOptions) => Promise<string>;

const runLocally: Run = (file, args, runOptions) => runCommand(file, args, { ...runOptions, env: aptEnv() });

export class Apt {
  private log = '';

  constructor(private readonly run: Run = runLocally) {}

  get(args: readonly string[], runOptions: RunOptions = { isCritical: false }): Promise<string> {
    return this.runLogged('apt-get', [...options, ...args], runOptions);
  }

  /** Finishes an interrupted installation, without which apt-get refuses to work. */
  async configure(): Promise<void> {
    await this.runLogged('dpkg', ['--configure', '-a'], { isCritical: true }).catch(() => {});
  }

  /** Appends the output to `file`, by default a temporary one, and returns its path. */
  writeLog(file: string = join(mkdtempSync(join(tmpdir(), 'vigie-packages-')), 'packages.log')): string {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, this.log, { mode: 0o600 });
    this.log = '';
    return file;
  }

  private async runLogged(file: string, args: readonly string[], runOptions: RunOptions): Promise<string> {
    this.log += `${new Date().toISOString()} ${file} ${args.join(' ')}\n`;
    try {
      const printed = await this.run(file, args, runOptions);
      this.log += `${printed.trimEnd()}\n`;
      return printed;
    } catch (error) {
      this.log += `${error instanceof CommandError ? error.printed.trimEnd() : String(error)}\n`;
      throw error;
    }
  }
}

const maxLines = 8;
const isReason = (line: string) => /^(E: |(dpkg|dpkg-deb|dpkg-divert|tar|debconf): )/.test(line);
const isProgress = (line: string) =>
  /^(Setting up|Unpacking|Preparing to unpack|Selecting|Processing triggers|Get:|Hit:|\(Reading)/.test(line);
/** This line only says that another line is the reason. */
const isSummary = (line: string) => line.startsWith('E: Sub-process ');

/**
 * Picks the lines of apt-get and dpkg that explain a failure. The message of a package's script precedes dpkg's line, and
 * its exit status follows it.
 */
export function whyAptFailed(printed: string): string {
  const lines = printed.split('\n').map((line) => line.trimEnd());
  const reasons = lines.flatMap((line, index) => {
    if (!isReason(line) || isSummary(line)) return [];
    const [before = '', after = ''] = [lines[index - 1], lines[index + 1]];
    const hasScriptMessage = line.startsWith('dpkg: error') && !isProgress(before) && !isReason(before);
    return [...(hasScriptMessage ? [before] : []), line, ...(after.startsWith(' ') ? [after] : [])];
  });
  const shownLines = reasons.length > 0 ? reasons.slice(0, maxLines) : lines.filter((line) => line !== '').slice(-3);
  return [...new Set(shownLines.map((line) => line.trim()))].filter((line) => line !== '').join('\n  ');
}

export function aptFailure(names: readonly string[], printed: string, file: string): string {
  return fr`L’installation des paquets ${names.join(', ')} a échoué :\n  ${whyAptFailed(printed)}\nTout ce qu’apt-get a dit est dans ${file}.`;
}
