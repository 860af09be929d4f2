import { randomBytes } from 'node:crypto';
import { readAnswers } from './answers';
import { type Host, SiteFailure } from './host';
import runScript from './run-php.sh';
import asOwner from './as-owner.sh';
import streamScript from './run-stream.sh';

const heredocEnd = 'VIGIE_END_OF_PROGRAM';
/** On top of the program's own time limit. */
const spareMs = 15_000;

/** Joins PHP parts into one program on descriptor 4 of the script that runs it. */
export function phpProgram(...parts: readonly string[]): string {
  return `php=$1 input=$2 seconds=$3 site=$4\n${onDescriptor4(...parts)}\n${asOwner}\n${runScript}`;
}

/** The same for a program that streams bytes. */
export function streamProgram(...parts: readonly string[]): string {
  return `php=$1 input=$2 seconds=$3 site=$4\n${onDescriptor4(...parts)}\n${asOwner}\n${streamScript}`;
}

/** A here-document can be read from its beginning by each run. */
export function onDescriptor4(...parts: readonly string[]): string {
  return `exec 4<<'${heredocEnd}'\n${joinParts(...parts)}\n${heredocEnd}`;
}

export function joinParts(...parts: readonly string[]): string {
  return `<?php\n${parts.map((part) => part.replace(/^<\?php\n/, '')).join('\n')}`;
}

type PhpOptions = {
  /** File name of the main part, for messages. */
  name: string;
  php: string;
  /** The site whose code runs: as its owner, never as root. */
  site?: string;
  seconds: number;
  keep: number;
  signal?: AbortSignal;
};

/** `rights`: whose rights PHP had, or why it did not run. */
export type PhpRun = { answers: unknown[]; rights: string | null; code: number | null; stderr: string };

/** Runs a program on a host's PHP. Its input is JSON that neither a shell nor a command line interprets. */
export async function runPhp(host: Host, program: string, data: object, options: PhpOptions): Promise<PhpRun> {
  const word = randomBytes(16).toString('hex');
  const input = encodeInput({ ...data, word });
  const { stdout, stderr, code } = await host.run(program, {
    args: [options.php, input, String(options.seconds), options.site ?? ''],
    keep: { stdout: options.keep, stderr: 4_096 },
    maxBytes: options.keep * 2,
    limits: { totalMs: options.seconds * 1_000 + spareMs },
    name: options.name,
    signal: options.signal,
  });
  const rights = /^as\t([a-z-]+)$/m.exec(stdout.bytes.toString('latin1', 0, 200))?.[1] ?? null;
  if (code === 126 || code === 127) throw phpIsGone(options.php);
  return { answers: readAnswers(stdout.bytes, word), rights, code, stderr: stderr.bytes.toString() };
}

/** Encodes data as one line that is safe in a shell. */
export const encodeInput = (data: object) => Buffer.from(JSON.stringify(data, wellFormed)).toString('base64');

const readInput = `IFS= read -r php && IFS= read -r input && IFS= read -r seconds && IFS= read -r site || exit 90
set -- "$php" "$input" "$seconds" "$site"
`;

/** The same as a script for the journal, which reads its input from standard input. */
export function phpTask(
  program: string,
  data: { word: string },
  { php, site, seconds }: Pick<PhpOptions, 'php' | 'seconds'> & { site: string },
): { script: string; input: string } {
  const lines = [php, encodeInput(data), String(seconds), site];
  if (lines.some((line) => line.includes('\n'))) throw new Error('an input has several lines');
  return { script: readInput + program, input: `${lines.join('\n')}\n` };
}

/** PHP refuses JSON with half a surrogate pair. */
const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? Buffer.from(value).toString() : value);

const phpIsGone = (php: string) =>
  new SiteFailure(
    'no_php',
    `${php} ne peut plus être exécuté.`,
    'Relancez le test du site\u00a0: il cherche un autre PHP.',
  );
