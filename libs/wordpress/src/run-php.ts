import { randomBytes } from 'node:crypto';
import { readAnswers } from './answers';
import { type Host, SiteFailure } from './host';
import launcher from './run-php.sh';

const end = 'VIGIE_END_OF_PROGRAM';
/** Beyond what the program may take itself. */
const spareMs = 15_000;

/** Parts in PHP, as one program on descriptor 4 of the script that runs it. */
export function phpProgram(...parts: readonly string[]): string {
  const bodies = parts.map((part) => part.replace(/^<\?php\n/, ''));
  return `exec 4<<'${end}'\n<?php\n${bodies.join('\n')}\n${end}\n${launcher}`;
}

type Given = {
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
  const text = Buffer.from(JSON.stringify({ ...data, word }, wellFormed)).toString('base64');
  const { stdout, stderr, code } = await host.run(program, {
    args: [given.php, text, String(given.seconds), given.site ?? ''],
    keep: { stdout: given.keep, stderr: 4_096 },
    mostBytes: given.keep * 2,
    limits: { totalMs: given.seconds * 1_000 + spareMs },
    signal: given.signal,
  });
  const as = /^as\t([a-z-]+)$/m.exec(stdout.bytes.toString('latin1', 0, 200))?.[1] ?? null;
  if (code === 126 || code === 127) throw phpIsGone(given.php);
  return { answers: readAnswers(stdout.bytes, word), as, code, said: stderr.bytes.toString() };
}

/** Half of a character makes PHP refuse all that it is given. */
const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? Buffer.from(value).toString() : value);

const phpIsGone = (php: string) =>
  new SiteFailure(
    'no_php',
    `${php} ne peut plus être exécuté.`,
    'Relancez le test du site\u00a0: il cherche un autre PHP.',
  );
