import { randomBytes } from 'node:crypto';
import { readAnswers } from './answers';
import { type Host, SiteFailure } from './host';
import launcher from './run-php.sh';
import asOwner from './as-owner.sh';
import stream from './run-stream.sh';

const end = 'VIGIE_END_OF_PROGRAM';
/** On top of the program's own time limit. */
const spareMs = 15_000;

/** Joins PHP parts into one program on descriptor 4 of the script that runs it. */
export function phpProgram(...parts: readonly string[]): string {
  return `php=$1 input=$2 seconds=$3 site=$4\n${onDescriptor4(...parts)}\n${asOwner}\n${launcher}`;
}

/** The same for a program that streams bytes. */
export function streamProgram(...parts: readonly string[]): string {
  return `php=$1 input=$2 seconds=$3 site=$4\n${onDescriptor4(...parts)}\n${asOwner}\n${stream}`;
}

/** A here-document can be read from its beginning by each run. */
export function onDescriptor4(...parts: readonly string[]): string {
  return `exec 4<<'${end}'\n${joined(...parts)}\n${end}`;
}

export function joined(...parts: readonly string[]): string {
  return `<?php\n${parts.map((part) => part.replace(/^<\?php\n/, '')).join('\n')}`;
}

type Given = {
  /** File name of the main part, for messages. */
  name: string;
  php: string;
  /** The site whose code runs: as its owner, never as root. */
  site?: string;
  seconds: number;
  keep: number;
  signal?: AbortSignal;
};

/** `as`: the rights that PHP had, or why it did not run. */
export type PhpRun = { answers: unknown[]; as: string | null; code: number | null; said: string };

/** Runs a program on a host's PHP. Its input is JSON that neither a shell nor a command line interprets. */
export async function runPhp(host: Host, program: string, data: object, given: Given): Promise<PhpRun> {
  const word = randomBytes(16).toString('hex');
  const text = sentData({ ...data, word });
  const { stdout, stderr, code } = await host.run(program, {
    args: [given.php, text, String(given.seconds), given.site ?? ''],
    keep: { stdout: given.keep, stderr: 4_096 },
    mostBytes: given.keep * 2,
    limits: { totalMs: given.seconds * 1_000 + spareMs },
    name: given.name,
    signal: given.signal,
  });
  const as = /^as\t([a-z-]+)$/m.exec(stdout.bytes.toString('latin1', 0, 200))?.[1] ?? null;
  if (code === 126 || code === 127) throw phpIsGone(given.php);
  return { answers: readAnswers(stdout.bytes, word), as, code, said: stderr.bytes.toString() };
}

/** Encodes data as one line that is safe in a shell. */
export const sentData = (data: object) => Buffer.from(JSON.stringify(data, wellFormed)).toString('base64');

const first = `IFS= read -r php && IFS= read -r input && IFS= read -r seconds && IFS= read -r site || exit 90
set -- "$php" "$input" "$seconds" "$site"
`;

/** The same as a script for the journal, which reads its input from standard input. */
export function taskOf(
  program: string,
  data: { word: string },
  { php, site, seconds }: Pick<Given, 'php' | 'seconds'> & { site: string },
): { script: string; input: string } {
  const lines = [php, sentData(data), String(seconds), site];
  if (lines.some((line) => line.includes('\n'))) throw new Error('a line of an input has no line in it');
  return { script: first + program, input: `${lines.join('\n')}\n` };
}

/** PHP refuses JSON with half a surrogate pair. */
const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? Buffer.from(value).toString() : value);

const phpIsGone = (php: string) =>
  new SiteFailure(
    'no_php',
    `${php} ne peut plus être exécuté.`,
    'Relancez le test du site\u00a0: il cherche un autre PHP.',
  );
