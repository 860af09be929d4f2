import type { CommandKind } from '@vigie/contracts/site-commands';
import { wpArguments } from '@vigie/contracts/command-words';
import { z } from 'zod';
import asOwner from './as-owner.sh';
import commandProgram from './command-program.sh';
import commandScript from './command.sh';
import { invisible } from './clean';
import { SiteFailure } from './host';
import { requireRights } from './inspect';
import operationHead from './operation-head.sh';
import { operationInput } from './operation-script';

/** Bytes of output that the host gives back: a log of the ledger holds a little more. */
const keptBytes = 200_000;
/** Each line is a row of the log: an output of empty lines would be 200,000 of them. */
const keptLines = 5_000;

const script = `take_lines site seconds kind php kept
program=${quote(commandProgram)}
${asOwner}
${commandScript}`;

type Order = {
  site: { path: string };
  kind: CommandKind;
  command: string;
  seconds: number;
  /** The PHP for WP-CLI; a shell needs none. */
  php: string;
};

/** A command as an operation of the journal. It runs in the folder of the site, as the owner of the site. */
export function commandTask({ site, kind, command, seconds, php }: Order): { script: string; input: string } {
  const text = kind === 'shell' ? command : (wpArguments(command) ?? []).map(quote).join(' ');
  const lines = operationInput(site.path, String(seconds), kind, php, String(keptBytes));
  return { script: `${operationHead}\n${script}`, input: `${lines}${text}` };
}

/** A word that a POSIX shell reads as this text. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const Report = z.discriminatedUnion('is', [
  z.object({ is: z.literal('as'), as: z.string() }),
  z.object({ is: z.literal('unable') }),
  z.object({ is: z.literal('rest'), bytes: z.int() }),
  z.object({
    is: z.literal('end'),
    code: z.int(),
    /** Why the command was ended: `stopped` by a person, or `late`. */
    why: z.enum(['', 'stopped', 'late']),
    ms: z.int().min(0),
    /** Number of processes that would not end. */
    left: z.int(),
  }),
]);
type Report = z.infer<typeof Report>;
export type CommandEnd = Extract<Report, { is: 'end' }>;

const maxLineChars = 4_000;
const toLongLines = new RegExp(`.{1,${maxLineChars}}`, 'gsu');

/** Reads what an operation of `commandTask` writes: the output of the command, and the reports around it. */
export class CommandOutput {
  end: CommandEnd | undefined;
  rights: string | undefined;
  isUnable = false;
  /** The host has no WP-CLI that the owner of the site may run. */
  hasNoWpCli = false;
  /** Bytes of output that were not kept. */
  restBytes = 0;
  private lines = 0;
  private word: string | undefined;
  /** An empty line, which stands before a report if it is not of the command. */
  private hasEmptyLine = false;

  constructor(
    private readonly operation: string,
    private readonly onOutput: (lines: readonly string[]) => void,
  ) {}

  read(line: string): void {
    this.word ??= /^vigie 1 ([0-9a-f]{32})$/.exec(line)?.[1];
    if (this.word === undefined || line === `vigie 1 ${this.word}`) return;
    const report = line.startsWith(`${this.word} `) ? this.readReport(line.slice(this.word.length + 1)) : undefined;
    const emptyLines = this.hasEmptyLine && !report ? [''] : [];
    this.hasEmptyLine = !report && line === '';
    if (report) this.apply(report);
    else if (line === `no-wp-cli ${this.operation}`) this.hasNoWpCli = true;
    else this.keep([...emptyLines, ...(line === '' ? [] : toLogLines(line))]);
  }

  private keep(lines: readonly string[]): void {
    const kept = lines.slice(0, keptLines - this.lines);
    this.lines += kept.length;
    for (const line of lines.slice(kept.length)) this.restBytes += Buffer.byteLength(line) + 1;
    if (kept.length > 0) this.onOutput(kept);
  }

  /** Throws where the command got no rights under which it may run. */
  requireRights(): void {
    const { rights = null } = this;
    requireRights({ answers: [], rights, code: null, stderr: '' });
    if (rights === 'no-wordpress') throw noWordPress();
    if (this.isUnable) throw unable();
  }

  private readReport(text: string): Report | undefined {
    try {
      return Report.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  }

  private apply(report: Report): void {
    if (report.is === 'as') this.rights = report.as;
    else if (report.is === 'unable') this.isUnable = true;
    else if (report.is === 'rest') this.restBytes += report.bytes;
    else this.end = report;
  }
}

/** Colours and cursor movements of terminals, which mean nothing in a log. */
const escapeSequences = new RegExp(
  String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])`,
  'g',
);
const invisibleButTabs = new RegExp(String.raw`(?!\t)${invisible}`, 'gu');

/** A line of output as lines of the log. A carriage return writes over what was there before. */
function toLogLines(line: string): readonly string[] {
  const plain = line.replace(escapeSequences, '');
  let end = plain.length;
  // A regular expression would look at a long run of them once for each of them.
  while (plain[end - 1] === '\r') end -= 1;
  const shown = plain.slice(plain.lastIndexOf('\r', end - 1) + 1, end);
  return shown.replace(invisibleButTabs, ' ').match(toLongLines) ?? [''];
}

const noWordPress = () =>
  new SiteFailure(
    'no_path',
    'Aucun WordPress ne se trouve dans le dossier de ce site\u00a0: la commande n’a pas été lancée.',
    'Corrigez le chemin du site, puis testez sa connexion.',
  );

const unable = () =>
  new SiteFailure(
    'no_privilege_tool',
    'Ce serveur n’a pas ce qu’il faut pour surveiller une commande\u00a0: elle n’a pas été lancée.',
    'Installez setsid (paquet util-linux) et mkfifo (paquet coreutils).',
  );
