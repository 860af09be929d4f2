import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isAlive } from '@vigie/testing/signals';
import { aHost, logInTo } from '@vigie/testing/ssh-stage';
import { SshHost, reasonWithoutBusybox, hostUnavailableReason } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import type { Connection } from './connection';
import { purge, stop } from './journal';
import { begin, type Operation } from './journal-begin';
import { follow } from './journal-follow';

let shared: SshHost | undefined;
afterAll(() => shared?.stop());

async function defaultHost(): Promise<SshHost> {
  shared ??= await SshHost.start({ settings: ['MaxStartups 100', 'MaxSessions 100'] });
  return shared;
}

const login = (sshd: SshHost, user = 'sh') => logInTo(sshd, { user });

async function loggedIn() {
  const sshd = await defaultHost();
  return { sshd, connection: await login(sshd) };
}

/** A script that records its beginning, waits for a release or the end of the test, and records its end. */
const gated = `
read -r file; echo begin >>"$file"; echo "$$" >&3
until [ -e "$file.go" ] || [ ! -d "\${file%/*}" ]; do sleep 0.05; done
echo end >>"$file"; echo done; echo oops >&2; exit 3`;
/** A script that records one line. */
const quick = 'read -r file; echo begin >>"$file"; cat; echo 100 >&3';

/** An operation that records its effects in a file named after its id. */
function operation(sshd: SshHost, script = quick, options: Partial<Operation> = {}): Operation {
  const id = randomUUID();
  return { id, script, input: `${sshd.home}/${id}\n{"données": "\u0000é"}`, lock: null, mode: 'detached', ...options };
}

const effectsFile = ({ input }: Operation) => input.slice(0, input.indexOf('\n'));
const effects = (subject: Operation) =>
  existsSync(effectsFile(subject)) ? readFileSync(effectsFile(subject), 'utf8').trim().split('\n') : [];
const release = (subject: Operation) => writeFileSync(`${effectsFile(subject)}.go`, '');
const runFolder = (sshd: SshHost, { id }: Operation) => join(sshd.home, '.vigie/operations', id, 'run');
/** Whether the operation's runner has started and waits for its lock. */
function isWaiting(sshd: SshHost, subject: Operation): boolean {
  const journal = join(runFolder(sshd, subject), '..');
  const attempts = existsSync(journal) ? readdirSync(journal) : [];
  return attempts.some((name) => existsSync(join(journal, name, 'lock')) && !existsSync(join(journal, name, 'task')));
}

const missing = hostUnavailableReason();
const onSshd = missing ? describe.skip : describe;

onSshd(`an operation ${missing ?? ''}`, () => {
  it.each(['held', 'none'] as const)('begins once for many simultaneous callers: lock %s', async (lock) => {
    const sshd = await defaultHost();
    const connections = await Promise.all([1, 2, 3, 4].map(() => login(sshd)));
    const once = operation(sshd, gated, { lock: lock === 'held' ? sshd.home : null });
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, index) => begin(connections[index % 4] as Connection, once)),
    );
    expect(begun.filter(({ state }) => state === 'started')).toEqual([{ state: 'started', lock }]);
    expect(begun.filter(({ state }) => state === 'attached')).toHaveLength(19);
    release(once);
    const ends = await Promise.all(connections.map((connection) => follow(connection, once.id)));
    for (const end of ends) expect(end).toMatchObject({ outcome: 'failed', code: 3, wasStopped: false });
    expect(ends[0]?.stdout).toEqual({ bytes: Buffer.from('done\n'), dropped: 0 });
    expect(ends[0]?.stderr).toEqual({ bytes: Buffer.from('oops\n'), dropped: 0 });
    expect(effects(once)).toEqual(['begin', 'end']);
    expect(await begin(connections[0] as Connection, once)).toEqual({ state: 'finished', lock });
    expect(effects(once)).toEqual(['begin', 'end']);
    expect(readdirSync(join(runFolder(sshd, once), '..'))).toEqual(['run']);
    expect(readdirSync(runFolder(sshd, once)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('tells its end at once, however rarely it is read', async () => {
    const { sshd, connection } = await loggedIn();
    const short = operation(sshd, gated);
    await begin(connection, short);
    const startedAt = performance.now();
    const pollMs = 60_000;
    const end = follow(connection, short.id, { pollMs, onProgress: () => release(short) });
    expect(await end).toMatchObject({ code: 3 });
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });

  it('survives its connection and its caller, and delivers each byte of progress once', async () => {
    const sshd = await aHost();
    const first = await login(sshd);
    const long = operation(sshd, `i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "line $i é" >&3; done; ${gated}`);
    await begin(first, long);
    let [text, from] = ['', 0];
    const leaving = new AbortController();
    const keep = (bytes: Buffer, next: number) => {
      text += bytes.toString();
      from = next;
      leaving.abort();
    };
    const left = follow(first, long.id, { onProgress: keep, signal: leaving.signal });
    await expect(left).rejects.toMatchObject({ kind: 'cancelled' });
    sshd.cutSessions();
    await first.closed;
    const second = await login(sshd);
    expect(await begin(second, long)).toEqual({ state: 'attached', lock: 'none' });
    release(long);
    const end = await follow(second, long.id, { from, onProgress: keep, pollMs: 200 });
    expect(end).toMatchObject({ outcome: 'failed', code: 3, offset: from });
    const lines = text.trim().split('\n');
    expect(lines.slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, index) => `line ${index + 1} é`));
    expect(lines).toHaveLength(201);
    expect(effects(long)).toEqual(['begin', 'end']);
  });

  it('delivers all of a long progress, and the ends of a long output', async () => {
    const connection = await login(await defaultHost());
    const script = 'head -c 600000 /dev/zero >&3; seq 1 200000; seq 1 40000 >&2';
    const flood = { id: randomUUID(), script, input: '', lock: null, mode: 'detached' } as const;
    await begin(connection, flood);
    let received = 0;
    const end = await follow(connection, flood.id, { onProgress: (bytes) => void (received += bytes.length) });
    expect([received, end.offset, end.outcome]).toEqual([600_000, 600_000, 'succeeded']);
    expect(end.stdout.bytes.toString()).toMatch(/^1\n2\n/);
    expect(end.stdout.bytes.length + end.stdout.dropped).toBe(1_288_895);
    expect(end.stderr.bytes.toString()).toMatch(/\n40000\n$/);
    expect(end.stderr.bytes.length + end.stderr.dropped).toBe(228_894);
  });

  it('that a signal ended has an unknown outcome', async () => {
    const { sshd, connection } = await loggedIn();
    const killed = operation(sshd, 'kill -9 $$');
    await begin(connection, killed);
    expect(await follow(connection, killed.id)).toMatchObject({ outcome: 'unknown', code: 137, wasStopped: false });
  });

  it('writes files with the umask of the login, and its journal for its owner only', async () => {
    const { sshd, connection } = await loggedIn();
    const script = 'umask; ls -ld "${0%/*}" "$0" | cut -c1-10';
    const modest = operation(sshd, script);
    await begin(connection, modest);
    const { stdout } = await follow(connection, modest.id);
    expect(stdout.bytes.toString()).toBe('0022\ndrwx------\n-rw-------\n');
  });

  it('of several MiB arrives whole', async () => {
    const { sshd, connection } = await loggedIn();
    const big = operation(sshd, 'wc -c', { input: 'é\u0000'.repeat(1_500_000) });
    expect(await begin(connection, big)).toEqual({ state: 'started', lock: 'none' });
    const { stdout } = await follow(connection, big.id);
    expect(Number(stdout.bytes.toString())).toBe(4_500_000);
    expect(await begin(connection, big)).toEqual({ state: 'finished', lock: 'none' });
  });
});

onSshd(`the lock of an operation ${missing ?? ''}`, () => {
  const awkward = `it's a "site" $x \`id\` é🔑 \\n -n`;

  it.each(['plain', awkward])('excludes a second operation in the same folder: %s', async (name) => {
    const { sshd, connection } = await loggedIn();
    const lock = join(sshd.home, name);
    mkdirSync(lock);
    const { input } = operation(sshd);
    const [first, second, elsewhere] = [lock, lock, sshd.home].map((path) =>
      operation(sshd, gated, { lock: path, input }),
    ) as [Operation, Operation, Operation];
    expect(await begin(connection, first)).toEqual({ state: 'started', lock: 'held' });
    const refused = begin(connection, second, { lockSeconds: 0 });
    await expect(refused).rejects.toMatchObject({ reason: { kind: 'locked', path: lock }, wasStarted: 'no' });
    expect(existsSync(runFolder(sshd, second))).toBe(false);
    const waiting = begin(await login(sshd), second);
    expect(await begin(connection, elsewhere)).toEqual({ state: 'started', lock: 'held' });
    await until(() => effects(first).length === 2);
    release(first);
    expect(await waiting).toEqual({ state: 'started', lock: 'held' });
    for (const { id } of [first, second, elsewhere]) await follow(connection, id, { pollMs: 100 });
    // The operations in different folders overlap; the second in the same folder begins after the first ends.
    expect(effects(first)).toHaveLength(6);
    expect(effects(first).slice(0, 2)).toEqual(['begin', 'begin']);
    expect(effects(first).lastIndexOf('begin')).toBeGreaterThan(effects(first).indexOf('end'));
  });

  it('is kept by the processes of a killed runner', async () => {
    const { sshd, connection } = await loggedIn();
    const first = operation(sshd, gated, { lock: sshd.home });
    await begin(connection, first);
    // Waits until the script runs, so that it outlives its runner.
    await until(() => effects(first).length === 1);
    const [, runner] = readFileSync(join(runFolder(sshd, first), 'who'), 'utf8').split(' ');
    process.kill(Number(runner), 'SIGKILL');
    const second = begin(connection, operation(sshd, gated, { lock: sshd.home }), { lockSeconds: 0 });
    await expect(second).rejects.toMatchObject({ kind: 'locked' });
    expect(await begin(connection, first)).toEqual({ state: 'attached', lock: 'held' });
    release(first);
    expect(await follow(connection, first.id)).toMatchObject({ outcome: 'unknown', code: null });
    expect(effects(first)).toEqual(['begin', 'end']);
  });

  it('held by another operation prevents this one from beginning now or later', async () => {
    const { sshd, connection } = await loggedIn();
    const first = operation(sshd, gated, { lock: sshd.home });
    const second = operation(sshd, quick, { lock: sshd.home });
    await begin(connection, first);
    const waiting = begin(await login(sshd), second).catch((error: unknown) => error);
    await until(() => isWaiting(sshd, second));
    await expect(begin(connection, second, { lockSeconds: 0 })).rejects.toMatchObject({ kind: 'locked' });
    release(first);
    await follow(connection, first.id);
    expect(await waiting).toMatchObject({ wasStarted: 'no' });
    expect(effects(second)).toEqual([]);
    expect(await begin(connection, second)).toEqual({ state: 'started', lock: 'held' });
  });

  it('on a missing folder fails without beginning', async () => {
    const { sshd, connection } = await loggedIn();
    const lost = operation(sshd, quick, { lock: '/nonexistent/site' });
    await expect(begin(connection, lost)).rejects.toMatchObject({ kind: 'journal', wasStarted: 'no' });
    await expect(begin(connection, { ...lost, lock: 'site' })).rejects.toThrow('absolute');
    expect(effects(lost)).toEqual([]);
  });
});

onSshd(`an attached operation ${missing ?? ''}`, () => {
  it('can be followed, and outlives its caller', async () => {
    const { sshd, connection } = await loggedIn();
    const attached = operation(sshd, gated, { mode: 'attached', lock: sshd.home });
    const waiting = new AbortController();
    const begun = await begin(connection, attached, { signal: waiting.signal });
    expect(begun).toEqual({ state: 'started', lock: 'held' });
    waiting.abort();
    const [, runner] = readFileSync(join(runFolder(sshd, attached), 'who'), 'utf8').split(' ');
    // The runner stays in the session's process group, so the host ends it with the session.
    const group = readFileSync(`/proc/${runner}/stat`, 'utf8').replace(/.*\) /, '').split(' ')[2];
    expect(group).not.toBe(runner);
    release(attached);
    expect(await follow(connection, attached.id)).toMatchObject({ outcome: 'failed', code: 3 });
    expect(await begin(connection, attached)).toEqual({ state: 'finished', lock: 'held' });
    expect(effects(attached)).toEqual(['begin', 'end']);
  });
});

onSshd(`stopping an operation ${missing ?? ''}`, () => {
  it.each(['detached', 'attached'] as const)('that is %s lets it clean up', async (mode) => {
    const { sshd, connection } = await loggedIn();
    const tidy = operation(sshd, `trap 'echo tidied; exit 5' TERM; echo ready >&3; ${gated}`, { mode });
    await begin(connection, tidy);
    await until(() => effects(tidy).length === 1);
    expect(await stop(connection, tidy.id)).toBe('stopped');
    const end = await follow(connection, tidy.id);
    expect(end).toMatchObject({ outcome: 'failed', code: 5, wasStopped: true });
    expect(end.stdout.bytes.toString()).toBe('tidied\n');
    expect(await stop(connection, tidy.id)).toBe('finished');
  });

  it('ends all of its processes, even those that ignore TERM or left the group', async () => {
    const { sshd, connection } = await loggedIn();
    const stubborn = operation(sshd, `trap '' TERM; setsid sleep 300 & echo $! >&3; sleep 300 & echo $! >&3; ${gated}`);
    await begin(connection, stubborn);
    const reportedPids = () =>
      readFileSync(join(runFolder(sshd, stubborn), 'progress'), 'utf8')
        .split('\n')
        .slice(0, -1);
    // The script prints its own pid last.
    await until(() => reportedPids().length === 3);
    const pids = reportedPids().map(Number);
    expect(pids.filter(isAlive)).toHaveLength(3);
    expect(await stop(connection, stubborn.id, { graceSeconds: 1 })).toBe('stopped');
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await follow(connection, stubborn.id)).toMatchObject({ outcome: 'unknown', code: null, wasStopped: true });
    expect(await begin(connection, stubborn)).toMatchObject({ state: 'finished' });
    expect(effects(stubborn)).toEqual(['begin']);
  });

  it('before it begins prevents it from beginning', async () => {
    const { sshd, connection } = await loggedIn();
    const early = operation(sshd);
    expect(await stop(connection, early.id)).toBe('stopped');
    expect(await begin(connection, early)).toMatchObject({ state: 'finished' });
    expect(await follow(connection, early.id)).toMatchObject({ outcome: 'failed', wasStopped: true });
    expect(effects(early)).toEqual([]);
  });

  it('while it waits for its folder prevents it from beginning', async () => {
    const { sshd, connection } = await loggedIn();
    const first = operation(sshd, gated, { lock: sshd.home });
    await begin(connection, first);
    const second = operation(sshd, gated, { lock: sshd.home });
    const waiting = begin(await login(sshd), second, { lockSeconds: 3_600 });
    await until(() => isWaiting(sshd, second));
    expect(await stop(connection, second.id)).toBe('stopped');
    expect(await waiting).toMatchObject({ state: 'finished' });
    release(first);
    await follow(connection, first.id);
    expect(effects(first)).toEqual(['begin', 'end']);
  });
});

onSshd(`purging ${missing ?? ''}`, () => {
  it('removes old finished journals, and keeps running and recent ones', async () => {
    const sshd = await aHost();
    const connection = await login(sshd);
    const [old, young, running] = [operation(sshd), operation(sshd), operation(sshd, gated)];
    for (const each of [old, young, running]) await begin(connection, each);
    for (const each of [old, young]) await follow(connection, each.id);
    const longAgo = Date.now() / 1_000 - 8 * 86_400;
    for (const each of [old, running]) {
      for (const path of [runFolder(sshd, each), join(runFolder(sshd, each), '..')]) utimesSync(path, longAgo, longAgo);
    }
    utimesSync(join(runFolder(sshd, young), '..'), longAgo, longAgo);
    expect(await purge(connection)).toBe(1);
    expect([old, young, running].map((each) => existsSync(runFolder(sshd, each)))).toEqual([false, true, true]);
    await expect(follow(connection, old.id)).rejects.toMatchObject({ kind: 'no-journal', wasStarted: 'unknown' });
    expect(await purge(connection)).toBe(0);
    release(running);
    expect(await follow(connection, running.id)).toMatchObject({ code: 3 });
  });

  it('does nothing on a host without journals', async () => {
    expect(await purge(await login(await aHost()))).toBe(0);
  });
});

describe('an operation on other hosts', () => {
  const shells = ['bash', 'tcsh', 'fish'].filter((shell) => !hostUnavailableReason('sshd', shell));

  /** Begins an operation, follows it on another connection, and returns its result. */
  async function lifeOn(sshd: SshHost, user = 'sh') {
    const connection = await login(sshd, user);
    const once = operation(sshd, gated, { lock: sshd.home });
    const first = await begin(connection, once);
    await connection.close();
    const other = await login(sshd, user);
    const second = await begin(other, once);
    release(once);
    const { code, stderr } = await follow(other, once.id);
    const lines = [stderr.bytes.toString(), ...effects(once)];
    return { states: [first.state, second.state], lock: first.lock, code, lines };
  }

  const completeLife = { states: ['started', 'attached'], code: 3, lines: ['oops\n', 'begin', 'end'] };

  it.each(shells)('works under the noisy login shell %s', async (user) => {
    const sshd = await aHost({ home: { '.bashrc': 'echo noise; seq 1000\n', '.tcshrc': 'echo noise\n' } });
    expect(await lifeOn(sshd, user)).toEqual({ ...completeLife, lock: 'held' });
  });

  const noDropbear = hostUnavailableReason('dropbear');
  (noDropbear ? it.skip : it)(`works on dropbear ${noDropbear ?? ''}`, async () => {
    expect(await lifeOn(await aHost({ program: 'dropbear' }))).toEqual({ ...completeLife, lock: 'held' });
  });

  const noBusybox = reasonWithoutBusybox();
  (noBusybox ? it.skip : it)(`works where all tools are BusyBox ${noBusybox ?? ''}`, async () => {
    const sshd = await aHost({ isBusybox: true });
    const lock = existsSync(join(sshd.home, '../bin/flock')) ? 'held' : 'unavailable';
    expect(await lifeOn(sshd)).toEqual({ ...completeLife, lock });
    const connection = await login(sshd);
    const once = operation(sshd);
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin(connection, once)));
    expect(begun.filter(({ state }) => state === 'started')).toHaveLength(1);
    await follow(connection, once.id);
    expect(effects(once)).toEqual(['begin']);
    const stubborn = operation(sshd, `trap '' TERM; sleep 300 & ${gated}`);
    await begin(connection, stubborn);
    expect(await stop(connection, stubborn.id, { graceSeconds: 1 })).toBe('stopped');
    const longAgo = Date.now() / 1_000 - 8 * 86_400;
    for (const path of [runFolder(sshd, stubborn), join(runFolder(sshd, stubborn), '..')])
      utimesSync(path, longAgo, longAgo);
    expect(await purge(connection)).toBe(1);
  });

  it.each([
    ['neither sha256sum, flock nor setsid', [], 'unavailable'],
    ['perl only', ['perl'], 'held'],
    ['openssl only', ['openssl'], 'unavailable'],
  ] as const)('works with %s', async (_, options, lock) => {
    const bin = join((await defaultHost()).home, randomUUID());
    mkdirSync(bin);
    const needed = ['sh', 'cat', 'mkdir', 'mv', 'rm', 'wc', 'tail', 'head', 'sleep', 'grep', 'tr', 'nohup'];
    for (const name of [...needed, ...options]) symlinkSync(`/usr/bin/${name}`, join(bin, name));
    const poor = await aHost({ settings: [`SetEnv PATH=${bin}`] });
    expect(await lifeOn(poor)).toEqual({ ...completeLife, lock });
  });
});
