import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cutRelay } from '@vigie/testing/hostile-ssh';
import { isAlive } from '@vigie/testing/signals';
import { aFakeHost, aHost, failureOf, logInTo } from '@vigie/testing/ssh-stage';
import { targetOf } from '@vigie/testing/ssh-targets';
import { SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { testFolder } from '@vigie/testing/test-folder';
import { until } from '@vigie/testing/until';
import type { ServerChannel } from 'ssh2';
import { connect, type Connection } from './connection';
import { exec, type ExecOptions } from './exec';
import { SshFailure } from './failure';
import { inShell, runScript } from './script';

let shared: SshHost | undefined;
afterAll(() => shared?.stop());
const defaultHost = async () => (shared ??= await SshHost.start());
const login = (sshd: SshHost, user = 'bash') => logInTo(sshd, { user });
const fake = async (behaviour: Parameters<typeof aFakeHost>[0]) => logInTo(await aFakeHost(behaviour));

/** Runs a command that first prints its process id. */
async function withPid(connection: Connection, script: string, options: ExecOptions = {}) {
  let printed = '';
  const running = exec(connection, inShell(`echo $$; ${script}`), {
    onStdout: (bytes) => void (printed += bytes.toString()),
    ...options,
  });
  let isOver = false;
  void running.catch(() => undefined).finally(() => (isOver = true));
  await until(() => isOver || printed.includes('\n'));
  // A command that ended without printing rejects here; waiting would never end.
  if (!printed.includes('\n')) await running;
  return { running, pid: Number.parseInt(printed, 10) };
}

const missing = hostUnavailableReason();
const onSshd = missing ? describe.skip : describe;
const skipReason = missing ?? '';

onSshd(`a command ${skipReason}`, () => {
  it('receives its standard input, and returns separate streams and an exit code', async () => {
    const connection = await login(await defaultHost());
    const result = await exec(connection, inShell('cat; echo oops >&2; exit 3'), { input: 'données\u0000\n' });
    expect(result).toMatchObject({ outcome: 'failed', code: 3, signal: null });
    expect([result.stdout.bytes.toString(), result.stderr.bytes.toString()]).toEqual(['données\u0000\n', 'oops\n']);
    expect((await exec(connection, inShell('cat'))).outcome).toBe('succeeded');
  });

  it('that a signal ended has an unknown outcome', async () => {
    const connection = await login(await defaultHost());
    const result = await exec(connection, inShell('kill -9 $$'));
    expect(result).toMatchObject({ outcome: 'unknown', code: null, signal: 'SIGKILL' });
  });

  it('keeps a limited output and counts the rest', async () => {
    const connection = await login(await defaultHost());
    const script = 'i=0; while [ $i -lt 3000 ]; do echo 0123456789; echo abcdefghij >&2; i=$((i+1)); done';
    const { stdout, stderr } = await exec(connection, inShell(script), { keep: { stdout: 11, stderr: 11 } });
    expect([stdout.bytes.toString(), stdout.dropped]).toEqual(['0123456789\n', 32_989]);
    expect([stderr.bytes.toString(), stderr.dropped]).toEqual(['abcdefghij\n', 32_989]);
  });

  it('that floods is stopped', async () => {
    const connection = await login(await defaultHost());
    const { running, pid } = await withPid(connection, 'while :; do echo yyyyyyyyyyyyyyyyyyyy; done', {
      maxBytes: 1_000_000,
    });
    expect(await failureOf(running)).toMatchObject({ kind: 'output-too-large', wasStarted: 'unknown' });
    await until(() => !isAlive(pid));
    expect((await exec(connection, 'true')).outcome).toBe('succeeded');
  });

  it.each([
    // Long enough for the first output of a slow host.
    ['total', 'while :; do echo x; sleep 0.05; done', { totalMs: 2_000 }],
    ['idle', 'echo x; exec sleep 30', { idleMs: 1_500 }],
  ])('is stopped at its deadline: %s', async (phase, script, limits) => {
    const connection = await login(await defaultHost());
    const { running, pid } = await withPid(connection, script, { limits });
    expect((await failureOf(running)).reason).toMatchObject({ kind: 'timed-out', phase });
    await until(() => !isAlive(pid));
  });

  it('that prints nothing is stopped at the deadline of the first byte', async () => {
    const connection = await login(await defaultHost());
    const silent = exec(connection, inShell('sleep 30'), { limits: { firstByteMs: 200 } });
    expect((await failureOf(silent)).reason).toMatchObject({ kind: 'timed-out', phase: 'first-byte' });
  });

  it('that ignores TERM is killed when it is cancelled', async () => {
    const connection = await login(await defaultHost());
    const stop = new AbortController();
    const script = 'trap : TERM; while :; do sleep 0.1; done';
    const { running, pid } = await withPid(connection, script, { signal: stop.signal });
    stop.abort();
    expect((await failureOf(running)).kind).toBe('cancelled');
    await until(() => !isAlive(pid));
    expect(connection.isOpen).toBe(true);
  });

  it('ends although a background child keeps its output open', async () => {
    const connection = await login(await defaultHost());
    const since = performance.now();
    const result = await exec(connection, 'sleep 60 & echo $!');
    expect(result.outcome).toBe('succeeded');
    expect(performance.now() - since).toBeLessThan(10_000);
    process.kill(Number(result.stdout.bytes.toString()));
  });

  it('has an unknown end when the host disappears', async () => {
    const sshd = await aHost();
    const connection = await login(sshd);
    const { running } = await withPid(connection, 'exec sleep 30');
    sshd.cutSessions();
    expect(await failureOf(running)).toMatchObject({ kind: 'closed', wasStarted: 'unknown' });
    expect(await failureOf(exec(connection, 'true'))).toMatchObject({ wasStarted: 'no' });
  });

  it('is refused over MaxSessions and known not to have started', async () => {
    const connection = await login(await aHost({ settings: ['MaxSessions 2'] }));
    const running = [
      exec(connection, inShell('cat'), { input: slowInput(400) }),
      exec(connection, inShell('sleep 0.4')),
    ];
    const third = await failureOf(exec(connection, 'true'));
    expect(third).toMatchObject({ reason: { kind: 'too-many', limit: 'MaxSessions' }, wasStarted: 'no' });
    expect(await Promise.all(running)).toMatchObject([{ outcome: 'succeeded' }, { outcome: 'succeeded' }]);
  });

  it('streams both ways across key exchanges with a slow reader', async () => {
    const connection = await login(await aHost({ settings: ['RekeyLimit 16M'] }));
    const block = randomBytes(1_048_576);
    const [sent, received] = [createHash('sha256'), createHash('sha256')];
    const blocks = async function* () {
      for (let index = 0; index < 48; index += 1) {
        sent.update(block);
        yield block;
      }
    };
    let bytesOut = 0;
    const result = await exec(connection, 'cat', {
      input: blocks(),
      maxBytes: 1e9,
      onStdout: async (bytes) => {
        received.update(bytes);
        bytesOut += bytes.length;
        await new Promise((resolve) => setImmediate(resolve));
      },
    });
    expect([result.outcome, bytesOut]).toEqual(['succeeded', 48 * 1_048_576]);
    expect(received.digest('hex')).toBe(sent.digest('hex'));
  });

  it('ends when its reader or writer fails', async () => {
    const connection = await login(await defaultHost());
    const full = new Error('disk full');
    const reader = exec(connection, 'yes', { onStdout: () => Promise.reject(full) });
    await expect(reader).rejects.toBe(full);
    const writer = exec(connection, 'cat', { input: failingInput(full) });
    await expect(writer).rejects.toBe(full);
  });

  it('cut after any number of bytes never succeeds with part of its output', async () => {
    const sshd = await aHost({ settings: ['MaxStartups 100'] });
    for (let bytes = 2_000; bytes < 4_600; bytes += 173) {
      const cut = await cutRelay(sshd.port, bytes, 'cut');
      const connection = await connect(targetOf(sshd, { port: cut.port })).catch(() => undefined);
      const result = connection && (await exec(connection, 'echo 0123456789').catch((error: unknown) => error));
      if (result && !(result instanceof SshFailure)) {
        expect(result).toMatchObject({ outcome: 'succeeded', stdout: { bytes: Buffer.from('0123456789\n') } });
      }
      await connection?.close();
      await cut.close();
    }
  });
});

async function* slowInput(ms: number) {
  yield Buffer.from('x');
  await new Promise((resolve) => setTimeout(resolve, ms));
}

async function* failingInput(error: Error) {
  yield Buffer.from('x');
  throw error;
}

onSshd(`a script ${skipReason}`, () => {
  const hostile = ['', ' a  b ', "it's", '$HOME `id` $(id)', '-n', 'é🔑ÁÂ', '"\\n!x', '*', '#end', '%s\\', '~'];

  it.each(['sh', 'bash', 'tcsh', 'fish'].filter((shell) => !hostUnavailableReason('sshd', shell)))(
    'receives its arguments unchanged under the login shell %s',
    async (user) => {
      const connection = await login(await defaultHost(), user);
      const script = 'for a; do printf "%s\\n" "$a"; done; echo "$LC_ALL $#"; exit 5';
      const result = await runScript(connection, script, { args: hostile });
      expect(result.stdout.bytes.toString()).toBe(`${hostile.join('\n')}\nC ${hostile.length}\n`);
      expect(result).toMatchObject({ outcome: 'failed', code: 5, stderr: { bytes: Buffer.alloc(0) } });
    },
  );

  it('returns its own output through a noisy login', async () => {
    const noise = 'echo welcome; echo "{\\"fake\\": true}"; seq 1 20000; echo alas >&2; printf "no line end"\n';
    const sshd = await aHost({ home: { '.bashrc': noise }, settings: ['Banner /etc/passwd', 'PrintMotd yes'] });
    const result = await runScript(await login(sshd), 'echo "{}"');
    expect(result).toMatchObject({ outcome: 'succeeded', stdout: { bytes: Buffer.from('{}\n'), dropped: 0 } });
  });

  it('does not run when its end is missing', async () => {
    const connection = await login(await defaultHost());
    let launched = '';
    const spy = new Proxy(connection, {
      get: (target, name) =>
        name === 'open'
          ? (command: string, options: never) => {
              launched = command;
              return target.open(command, options);
            }
          : Reflect.get(target, name, target),
    });
    await runScript(spy, 'true');
    const result = await exec(connection, launched, { input: 'word\n0\necho begun\necho more' });
    expect([result.code, result.stdout.bytes.toString()]).toEqual([97, '']);
  });

  it.each([
    ['rbash', 'no-shell', /restricted/],
    ['nologin', 'no-shell', /not available/],
  ] as const)('says why it cannot run under %s', async (user, kind, detail) => {
    const failure = await failureOf(runScript(await login(await defaultHost(), user), 'echo x'));
    expect(failure).toMatchObject({ kind, wasStarted: 'no' });
    expect(failure.message).toMatch(detail);
  });

  it('says that an account is for file transfers only', async () => {
    const sshd = await aHost({ settings: ['ForceCommand internal-sftp'] });
    expect((await failureOf(runScript(await login(sshd), 'echo x'))).kind).toBe('sftp-only');
  });
});

const noDropbear = hostUnavailableReason('dropbear');
(noDropbear ? describe.skip : describe)(`dropbear ${noDropbear ?? ''}`, () => {
  it('runs scripts and stops commands', async () => {
    const connection = await login(await aHost({ program: 'dropbear' }));
    expect((await runScript(connection, 'echo "$1"', { args: ['é'] })).stdout.bytes.toString()).toBe('é\n');
    const { running, pid } = await withPid(connection, 'exec sleep 30', { limits: { idleMs: 1_500 } });
    expect((await failureOf(running)).kind).toBe('timed-out');
    await until(() => !isAlive(pid));
  });
});

describe('a hostile server', () => {
  it('that does not open a channel has started nothing', async () => {
    const failure = await failureOf(exec(await fake({ opens: false }), 'true', { limits: { openMs: 200 } }));
    expect(failure).toMatchObject({ reason: { kind: 'timed-out', phase: 'open' }, wasStarted: 'no' });
  });

  it('that does not answer the command may have started it', async () => {
    const failure = await failureOf(exec(await fake({ exec: () => undefined }), 'true', { limits: { openMs: 2_000 } }));
    expect(failure).toMatchObject({ reason: { kind: 'timed-out', phase: 'open' }, wasStarted: 'unknown' });
  });

  it('that refuses the command is reported as without shell', async () => {
    const refusing = await fake({ exec: (_accept, _command, reject) => reject() });
    expect((await failureOf(exec(refusing, 'true'))).kind).toBe('no-shell');
  });

  it.each([
    ['by SSH', (channel: ServerChannel) => channel.exit('KILL')],
    // A login shell that waits for its command reports a signal in this way.
    ['as a shell does', (channel: ServerChannel) => channel.stderr.write('Killed\n') && channel.exit(137)],
  ])('that kills a script before it begins and reports it %s is not taken for one without shell', async (_, kill) => {
    const killing = await fake({
      exec: (accept) => {
        const channel = accept();
        kill(channel);
        channel.end();
      },
    });
    const failure = await failureOf(runScript(killing, 'true'));
    expect(failure).toMatchObject({ reason: { kind: 'killed', signal: 'SIGKILL' }, wasStarted: 'no' });
  });

  it('that kills the reader of a script is not taken for one without shell', async () => {
    const folder = testFolder('exec');
    writeFileSync(join(folder, 'cat'), '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
    const killing = await fake({
      exec: (accept, command) => {
        const channel = accept();
        const shell = spawn('/bin/sh', ['-c', command], { env: { PATH: `${folder}:/usr/bin:/bin` } });
        channel.pipe(shell.stdin).on('error', () => undefined);
        shell.stdout.pipe(channel, { end: false });
        shell.stderr.pipe(channel.stderr, { end: false });
        shell.once('close', (code) => {
          channel.exit(code ?? 0);
          channel.end();
        });
      },
    });
    const failure = await failureOf(runScript(killing, 'true'));
    expect(failure).toMatchObject({ reason: { kind: 'killed', signal: 'SIGKILL' }, wasStarted: 'no' });
  });

  it('that sends no exit code leaves the outcome unknown', async () => {
    const connection = await fake({ exec: (accept) => accept().end('done') });
    expect(await exec(connection, 'x')).toMatchObject({ outcome: 'unknown', code: null, signal: null });
  });

  it('that hangs after the exit gets its channel closed', async () => {
    const connection = await fake({ exec: (accept) => accept().exit(0) });
    const since = performance.now();
    const result = await exec(connection, 'x').catch((failure: SshFailure) => failure.kind);
    expect(result).toMatchObject({ outcome: 'succeeded' });
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  it('that ignores its window is cut off', async () => {
    const connection = await fake({
      exec: (accept) => {
        const channel = accept() as ServerChannel & { outgoing: { window: number } };
        channel.outgoing.window = 2 ** 40;
        let remaining = 500;
        const flood = () => {
          channel.write(Buffer.alloc(100_001));
          remaining -= 1;
          if (channel.writable && remaining > 0) setImmediate(flood);
        };
        flood();
      },
    });
    const never = new Promise<void>(() => undefined);
    expect(await failureOf(exec(connection, 'x', { onStdout: () => never }))).toMatchObject({ kind: 'protocol' });
  });

  it('that sends data after the end of its output does no harm', async () => {
    const connection = await fake({
      exec: (accept) => {
        const channel = accept() as Internals;
        const {
          _client: { _protocol: protocol },
        } = channel;
        channel.write('a');
        channel.exit(0);
        channel.eof();
        protocol.channelData(0, Buffer.from('b'));
        channel.close();
      },
    });
    const result = await exec(connection, 'x').catch((failure: SshFailure) => failure.kind);
    expect(result).toMatchObject({ outcome: 'succeeded', stdout: { bytes: Buffer.from('a') } });
  });
});

type Protocol = { channelData(channel: number, bytes: Buffer): void };
type Internals = ServerChannel & { eof(): void; _client: { _protocol: Protocol } };
