import { randomBytes } from 'node:crypto';
import { readAnswers } from './answers';
import { type Host, SiteFailure } from './host';
import launcher from './run-php.sh';
import asOwner from './as-owner.sh';
import stream from './run-stream.sh';

const end = 'VIGIE_END_OF_PROGRAM';
/** Beyond what the program may take itself. */
const spareMs = 15_000;

/** Parts in PHP, as one program on descriptor 4 of the script that runs it. */
export function phpProgram(...parts: readonly string[]): string {
  return `php=$1 given=$2 seconds=$3 site=$4\n${onDescriptor4(...parts)}\n${asOwner}\n${launcher}`;
}

/** The same for one that moves bytes. */
export function streamProgram(...parts: readonly string[]): string {
  return `php=$1 given=$2 seconds=$3 site=$4\n${onDescriptor4(...parts)}\n${asOwner}\n${stream}`;
}

/** Each time that it is run, the program is there to be read from its beginning. */
export function onDescriptor4(...parts: readonly string[]): string {
  return `exec 4<<'${end}'\n${joined(...parts)}\n${end}`;
}

/** As one program. */
export function joined(...parts: readonly string[]): string {
  return `<?php\n${parts.map((part) => part.replace(/^<\?php\n/, '')).join('\n')}`;
}

type Given = {
  /** Of its main part. */
  name: string;
  php: string;
  /** The site whose code runs in it: as its owner then, never as root. */
  site?: string;
  seconds: number;
  keep: number;
  signal?: AbortSignal;
};

/** `as`: whose rights it had, or why it did not run. */
export type PhpRun = { answers: unknown[]; as: string | null; code: number | null; said: string };

/** Runs a program on a host's PHP. What it is given is data: JSON, which no shell and no command line sees. */
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

/** As one line that no shell reads anything into. */
export const sentData = (data: object) => Buffer.from(JSON.stringify(data, wellFormed)).toString('base64');

const first = `IFS= read -r php && IFS= read -r given && IFS= read -r seconds && IFS= read -r site || exit 90
set -- "$php" "$given" "$seconds" "$site"
`;

/** The same as a script that is given its data on standard input, and that others may follow: its word is in the data. */
export function taskOf(
  program: string,
  data: { word: string },
  { php, site, seconds }: Pick<Given, 'php' | 'seconds'> & { site: string },
): { script: string; input: string } {
  const lines = [php, sentData(data), String(seconds), site];
  if (lines.some((line) => line.includes('\n'))) throw new Error('a line of an input has no line in it');
  return { script: first + program, input: `${lines.join('\n')}\n` };
}

/** Half of a character makes PHP refuse all that it is given. */
const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? Buffer.from(value).toString() : value);

const phpIsGone = (php: string) =>
  new SiteFailure(
    'no_php',
    `${php} ne peut plus être exécuté.`,
    'Relancez le test du site\u00a0: il cherche un autre PHP.',
  );
