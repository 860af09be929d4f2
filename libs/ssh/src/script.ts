import { constants } from 'node:os';
import type { Connection } from './connection';
import { exec, type ExecOptions, type ExecResult } from './exec';
import { SshFailure } from './failure';
import { FramedOutput, type StartMarker } from './framed-output';
import { forLoginShell } from './login-shell';
import { reportPid } from './pid-line';

/** A constant command whose output is the same on every host, and begins with its process id. */
export const inShell = (script: string): string => forLoginShell(`LC_ALL=C; export LC_ALL; ${reportPid}; ${script}`);

/**
 * Reads the word, the arguments and the script, and runs the script only when it is whole: a cut connection would
 * otherwise run its beginning. A bare `exit` passes on the code of a `cat` that the host killed.
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
 * The same for a script that reads standard input itself. It reads the script line by line, because a shell's `read`
 * consumes no more than a line and leaves the rest to the script.
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

/** The standard input of either launcher. */
export function scriptInput(word: string, script: string, args: readonly string[]): string {
  if (args.some((argument) => /[\0\r\n]/.test(argument))) throw new Error('an argument has several lines');
  return `${[word, args.length, ...args].join('\n')}\n${script}\n#${word}`;
}

export type ScriptOptions = Omit<ExecOptions, 'input' | 'onStdout'> & {
  /** The script's $1, $2…: any text without line ends. */
  args?: readonly string[];
};

/** Runs a POSIX script with an empty standard input, whatever the login shell prints around its output. */
export async function runScript(
  connection: Connection,
  script: string,
  { args = [], keep, ...options }: ScriptOptions = {},
): Promise<ExecResult> {
  const output = new FramedOutput(keep?.stdout ?? 1_048_576);
  const input = scriptInput(output.marker.word, script, args);
  try {
    const result = await exec(connection, launcher, {
      ...options,
      keep: { stderr: keep?.stderr ?? 65_536 },
      input,
      onStdout: (bytes) => output.add(bytes),
    });
    if (!output.marker.wasReached) throw notStartedFailure(output.marker, result);
    const { bytes, dropped, code } = output.content;
    return { ...result, stdout: { bytes, dropped }, ...(result.code === null && code !== null ? outcomeOf(code) : {}) };
  } finally {
    output.close();
  }
}

const outcomeOf = (code: number): Pick<ExecResult, 'outcome' | 'code'> => ({
  outcome: code === 0 ? 'succeeded' : 'failed',
  code,
});

/** Explains why a host ran no script, from what it printed. A killed shell says nothing about the account. */
export function notStartedFailure(
  { noise: stdout }: StartMarker,
  { code, signal, stderr: { bytes } }: ExecResult,
): SshFailure {
  const stderr = bytes.toString();
  if (/sftp connections only/i.test(stdout + stderr)) return new SshFailure({ kind: 'sftp-only' });
  const killedBy = signal ?? signalIn(code);
  if (killedBy !== undefined) return new SshFailure({ kind: 'killed', signal: killedBy });
  return new SshFailure({ kind: 'no-shell', detail: stderr.trim() === '' ? stdout : stderr });
}

/** Signals with which a host ends commands when it is out of memory, shuts down or enforces limits. */
const fatal = ['SIGKILL', 'SIGTERM', 'SIGABRT', 'SIGBUS', 'SIGSEGV', 'SIGSYS', 'SIGXCPU', 'SIGXFSZ'] as const;

/** A shell exits with 128 plus the signal that ended its command; programs use other codes of that range. */
const signalIn = (code: number | null): string | undefined =>
  fatal.find((signal) => code === 128 + constants.signals[signal]);
