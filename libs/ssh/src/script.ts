import { constants } from 'node:os';
import type { Connection } from './connection';
import { exec, type ExecOptions, type ExecResult } from './exec';
import { SshFailure } from './failure';
import { FramedOutput, type Opening } from './framed-output';
import { reportPid } from './pid-line';

/**
 * A constant command for /bin/sh by way of any login shell. Inside single quotes sh, csh and fish agree on all but a
 * few characters, which are refused; data goes in on standard input.
 */
export function inShell(script: string): string {
  if (/['\\!\r\n]|[^ -~]/.test(script))
    throw new Error('not the same in every login shell: quotes, \\, ! and line ends');
  return `exec /bin/sh -c 'LC_ALL=C; export LC_ALL; ${reportPid}; ${script}'`;
}

/**
 * Reads the word, the arguments and the whole script, and runs it only when the script is whole: a connection that is
 * cut would otherwise leave the beginning of it. A bare `exit` passes on the code of a `cat` that the host killed.
 */
const launcher = inShell(
  [
    'IFS= read -r w; IFS= read -r k; set --',
    'while [ "$k" -gt 0 ]; do IFS= read -r a; set -- "$@" "$a"; k=$((k-1)); done',
    's=$(cat) || exit; case $s in *"#$w") ;; *) exit 97;; esac',
    'echo; echo "$w"; ( eval "$s" ) </dev/null; c=$?; echo; echo "$w $c"; exit $c',
  ].join('; '),
);

/**
 * The same for a script that reads standard input itself. The script comes line by line: a shell reads no further than
 * a line, so that what follows is left to the script.
 */
export const launcherWithInput = inShell(
  [
    'IFS= read -r w; IFS= read -r k; set --',
    'while [ "$k" -gt 0 ]; do IFS= read -r a; set -- "$@" "$a"; k=$((k-1)); done',
    'n=$(echo; echo .) || exit; n=${n%.}; s=; l=',
    'until [ "$l" = "#$w" ]; do s=$s$l$n; IFS= read -r l || exit 97; done',
    'echo; echo "$w"; eval "$s"',
  ].join('; '),
);

/** What such a launcher reads. */
export function scriptInput(word: string, script: string, args: readonly string[]): string {
  if (args.some((argument) => /[\0\r\n]/.test(argument))) throw new Error('an argument has several lines');
  return `${[word, args.length, ...args].join('\n')}\n${script}\n#${word}`;
}

export type ScriptOptions = Pick<ExecOptions, 'keep' | 'limits' | 'signal' | 'mostBytes' | 'name'> & {
  /** Given to the script as $1, $2…: any text without line ends. */
  args?: readonly string[];
};

/** Runs a POSIX script, whatever the login shell prints around it; its standard input is empty. */
export async function runScript(
  connection: Connection,
  script: string,
  { args = [], keep, ...options }: ScriptOptions = {},
): Promise<ExecResult> {
  const output = new FramedOutput(keep?.stdout ?? 1_048_576);
  const input = scriptInput(output.opening.word, script, args);
  try {
    const result = await exec(connection, launcher, {
      ...options,
      keep: { stderr: keep?.stderr ?? 65_536 },
      input,
      onStdout: (bytes) => output.add(bytes),
    });
    if (!output.opening.wasReached) throw notStartedFailure(output.opening, result);
    const { bytes, dropped, code } = output.content;
    return { ...result, stdout: { bytes, dropped }, ...(result.code === null && code !== null ? known(code) : {}) };
  } finally {
    output.close();
  }
}

const known = (code: number): Pick<ExecResult, 'outcome' | 'code'> => ({
  outcome: code === 0 ? 'succeeded' : 'failed',
  code,
});

/** Why a host ran nothing, by what it printed instead. A shell that was killed says nothing of the account. */
export function notStartedFailure(
  { noise: stdout }: Opening,
  { code, signal, stderr: { bytes } }: ExecResult,
): SshFailure {
  const stderr = bytes.toString();
  if (/sftp connections only/i.test(stdout + stderr)) return new SshFailure({ kind: 'sftp-only' });
  const killedBy = signal ?? signalIn(code);
  if (killedBy !== undefined) return new SshFailure({ kind: 'killed', signal: killedBy });
  return new SshFailure({ kind: 'no-shell', said: stderr.trim() === '' ? stdout : stderr });
}

/** How a host that is out of memory, shuts down or holds to limits ends a command. */
const fatal = ['SIGKILL', 'SIGTERM', 'SIGABRT', 'SIGBUS', 'SIGSEGV', 'SIGSYS', 'SIGXCPU', 'SIGXFSZ'] as const;

/** A shell that waited for such a command exits with 128 and the number of the signal; programs have codes up there too. */
const signalIn = (code: number | null): string | undefined =>
  fatal.find((signal) => code === 128 + constants.signals[signal]);
