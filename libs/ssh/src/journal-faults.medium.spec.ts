import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { printing } from '@vigie/testing/hostile-ssh';
import { aFakeHost, aHost, logInTo } from '@vigie/testing/ssh-stage';
import { SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { processesOf as carriersOf } from '@vigie/testing/operations';
import { until } from '@vigie/testing/until';
import { mayMount } from '@vigie/testing/mounts';
import { killAtOnce } from '@vigie/testing/signals';
import type { Connection } from './connection';
import { SshFailure } from './failure';
import { type JournalLocation, stop } from './journal';
import { begin, type Operation } from './journal-begin';
import { follow } from './journal-follow';

let shared: SshHost | undefined;
afterAll(() => shared?.stop());

async function host(): Promise<SshHost> {
  shared ??= await SshHost.start({ settings: ['MaxStartups 100', 'MaxSessions 100'] });
  return shared;
}

async function loggedIn() {
  const sshd = await host();
  return { sshd, connection: await logInTo(sshd) };
}

/** An operation that records one line in a file named after its id. */
function operation(sshd: SshHost, script = 'read -r file; echo effect >>"$file"; sleep 0.01; echo 100 >&3'): Operation {
  const id = randomUUID();
  return { id, script, input: `${sshd.home}/${id}\n`, lock: sshd.home, mode: 'detached' };
}

const forever = 'read -r file; echo effect >>"$file"; sleep 300 & wait; echo late >>"$file"';
const effects = ({ input }: Operation) =>
  existsSync(input.trim()) ? readFileSync(input.trim(), 'utf8').trim().split('\n') : [];
const journalFolder = (sshd: SshHost, { id }: Operation) => join(sshd.home, '.vigie/operations', id);

const commandLine = (pid: number | string) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};
const processesOf = ({ id }: Operation) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(id))
    .map(Number);

/** Kills the processes of all sessions; detached runners are not among them. */
const killSessions = (sshd: SshHost) =>
  killAtOnce(() =>
    sshd
      .processes()
      .slice(1)
      .filter((pid) => !commandLine(pid).includes('/runner')),
  );

/** A connection that changes the standard input of its commands. */
const tampering = (connection: Connection, change: (input: Buffer) => Buffer) =>
  new Proxy(connection, {
    get: (target, name) =>
      name === 'open'
        ? async (...args: Parameters<Connection['open']>) => {
            const opened = await target.open(...args);
            const end = opened.channel.end.bind(opened.channel) as (input?: Buffer) => unknown;
            Object.assign(opened.channel, { end: (input?: Buffer) => end(input && change(input)) });
            return opened;
          }
        : Reflect.get(target, name, target),
  });

async function durationOf(work: Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work;
  return performance.now() - since;
}

/** Waits for a random moment within the usual duration and returns it, for the message of a failure. */
async function momentWithin(ms: number): Promise<number> {
  const moment = randomInt(Math.ceil(ms) + 1);
  await new Promise((resolve) => setTimeout(resolve, moment));
  return moment;
}

const missing = hostUnavailableReason();
const onSshd = missing ? describe.skip : describe;

onSshd(`beginning an operation ${missing ?? ''}`, () => {
  it('begins nothing and leaves nothing while a byte of the task is missing', async () => {
    const { sshd, connection } = await loggedIn();
    const cut = operation(sshd);
    let all = 0;
    const measuring = tampering(connection, (input) => {
      all = input.length;
      return input;
    });
    await begin(measuring, operation(sshd));
    const cutOffsets = [
      0,
      1,
      40,
      200,
      ...Array.from({ length: 8 }, () => randomInt(all)),
      all - 60,
      all - 35,
      all - 2,
      all - 1,
    ];
    for (const bytes of cutOffsets) {
      const failure: unknown = await begin(
        tampering(connection, (input) => input.subarray(0, bytes)),
        cut,
      ).catch((error: unknown) => error);
      expect([bytes, failure]).toEqual([bytes, expect.any(SshFailure)]);
      expect([bytes, existsSync(journalFolder(sshd, cut)) ? readdirSync(journalFolder(sshd, cut)) : []]).toEqual([
        bytes,
        [],
      ]);
    }
    const flipped = (input: Buffer) =>
      input.map((byte, location) => (location === all - 50 ? byte ^ 1 : byte)) as Buffer;
    await expect(begin(tampering(connection, flipped), cut)).rejects.toMatchObject({ kind: 'changed-file' });
    expect(await begin(connection, cut)).toEqual({ state: 'started', lock: 'held' });
    expect(await follow(connection, cut.id)).toMatchObject({ outcome: 'succeeded', offset: 4 });
    expect(effects(cut)).toEqual(['effect']);
  });

  it('runs the operation once although the launcher dies at any moment and is repeated', async () => {
    const sshd = await aHost();
    const defaultMs = await durationOf(begin(await logInTo(sshd), operation(sshd)));
    for (let round = 0; round < 10; round += 1) {
      const cut = operation(sshd);
      const first = begin(await logInTo(sshd), cut).catch((error: unknown) => error);
      const moment = await momentWithin(defaultMs);
      killSessions(sshd);
      await first;
      expect([moment, effects(cut).length]).not.toEqual([moment, 2]);
      const connection = await logInTo(sshd);
      await begin(connection, cut);
      expect([moment, await follow(connection, cut.id)]).toMatchObject([moment, { outcome: 'succeeded' }]);
      expect([moment, effects(cut)]).toEqual([moment, ['effect']]);
      expect(readdirSync(journalFolder(sshd, cut))).toEqual(['run']);
    }
  });

  it('continues when its launcher dies while the runner waits for its folder', async () => {
    const sshd = await aHost();
    const [first, second] = [operation(sshd, forever), operation(sshd)];
    await begin(await logInTo(sshd), first);
    const waiting = begin(await logInTo(sshd), second).catch((error: unknown) => error);
    await until(() => processesOf(second).some((pid) => commandLine(pid).startsWith('sh\0')));
    killSessions(sshd);
    await waiting;
    const connection = await logInTo(sshd);
    await stop(connection, first.id);
    await until(() => existsSync(join(journalFolder(sshd, second), 'run')));
    expect(await follow(connection, second.id)).toMatchObject({ outcome: 'succeeded' });
    expect(effects(second)).toEqual(['effect']);
  });

  it('is stopped with the frozen process that its script left in another group', async () => {
    const connection = await logInTo(await host());
    const leaving = operation(await host(), `setsid sleep 300 & kill -STOP $!; trap 'exit 5' TERM; ${forever}`);
    await begin(connection, leaving);
    await until(() => effects(leaving).length === 1);
    expect(await stop(connection, leaving.id, { graceSeconds: 1 })).toBe('stopped');
    expect(carriersOf(leaving.id)).toEqual([]);
    expect(await follow(connection, leaving.id)).toMatchObject({ outcome: 'failed', code: 5, wasStopped: true });
  });

  it('never runs twice, nor reports a false success, although the runner dies at any moment', async () => {
    const { sshd, connection } = await loggedIn();
    const defaults = operation(sshd);
    const defaultMs = await durationOf(begin(connection, defaults).then(() => follow(connection, defaults.id)));
    for (let round = 0; round < 12; round += 1) {
      const killed = operation(sshd);
      const first = begin(connection, killed).catch((error: unknown) => error);
      const moment = await momentWithin(defaultMs);
      killAtOnce(() => processesOf(killed));
      await first;
      await begin(connection, killed);
      const { outcome } = await follow(connection, killed.id, { pollMs: 100 });
      await begin(connection, killed);
      expect([moment, outcome]).toEqual([moment, expect.stringMatching(/^(succeeded|unknown)$/)]);
      if (outcome === 'succeeded') expect([moment, effects(killed)]).toEqual([moment, ['effect']]);
      else expect([moment, effects(killed).length]).not.toEqual([moment, 2]);
    }
  });
});

onSshd(`an operation whose runner is lost ${missing ?? ''}`, () => {
  async function beginLost(sshd: SshHost, location: JournalLocation = {}) {
    const connection = await logInTo(sshd);
    const lost = operation(sshd, forever);
    await begin(connection, lost, location);
    await until(() => effects(lost).length === 1);
    const file = join(journalFolder(sshd, lost), 'run/who');
    const who = readFileSync(file, 'utf8').split(' ');
    const group = -Number(who[1]);
    const write = (field: number, word: string) => writeFileSync(file, who.with(field, word).join(' '));
    return { connection, lost, group, write };
  }

  it('has an unknown outcome without an exit code, and never begins again', async () => {
    const { connection, lost, group } = await beginLost(await host());
    killAtOnce(() => [group]);
    const end = await follow(connection, lost.id);
    expect(end).toMatchObject({ outcome: 'unknown', code: null, wasStopped: false });
    expect(await begin(connection, lost)).toEqual({ state: 'finished', lock: 'held' });
    expect(effects(lost)).toEqual(['effect']);
  });

  it('has an unknown outcome where a loss of power has emptied its exit code', async () => {
    const sshd = await host();
    const { connection, lost, group } = await beginLost(sshd);
    killAtOnce(() => [group]);
    writeFileSync(join(journalFolder(sshd, lost), 'run/code'), '');
    expect(await follow(connection, lost.id)).toMatchObject({ outcome: 'unknown', code: null });
  });

  it('is not mistaken for a process that reuses its pid, which is left alone', async () => {
    const { connection, lost, group, write } = await beginLost(await host());
    killAtOnce(() => [group]);
    write(1, String(process.pid));
    expect(await follow(connection, lost.id)).toMatchObject({ outcome: 'unknown', code: null });
    expect(await stop(connection, lost.id)).toBe('finished');
  });

  it('has an unknown outcome after a reboot of the host', async () => {
    const sshd = await host();
    const bootFile = join(sshd.home, 'boot');
    writeFileSync(bootFile, 'first\n');
    const { connection, lost, group } = await beginLost(sshd, { bootFile });
    expect(await begin(connection, lost, { bootFile })).toEqual({ state: 'attached', lock: 'held' });
    writeFileSync(bootFile, 'second\n');
    expect(await follow(connection, lost.id, { bootFile })).toMatchObject({ outcome: 'unknown', code: null });
    expect(await begin(connection, lost, { bootFile })).toEqual({ state: 'finished', lock: 'held' });
    killAtOnce(() => [group]);
    expect(effects(lost)).toEqual(['effect']);
  });

  it('of a later format is left to a later release', async () => {
    const sshd = await host();
    const { connection, lost, group } = await beginLost(sshd);
    writeFileSync(join(journalFolder(sshd, lost), 'run/format'), '2\n');
    const newer = { reason: { kind: 'newer-journal', version: 2 } };
    await expect(begin(connection, lost)).rejects.toMatchObject(newer);
    await expect(follow(connection, lost.id)).rejects.toMatchObject(newer);
    await expect(stop(connection, lost.id)).rejects.toMatchObject(newer);
    killAtOnce(() => [group]);
  });
});

/** Mounts a small disk; undefined when this user may not mount. */
function smallDisk(folder: string): string | undefined {
  mkdirSync(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'none', folder]);
  if (status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

(missing || !mayMount() ? describe.skip : describe)(`a full disk ${missing ?? 'of a user that may mount'}`, () => {
  it('makes begin fail without leaving anything', async () => {
    const { sshd, connection } = await loggedIn();
    const folder = smallDisk(join(sshd.home, 'small'));
    const big = { ...operation(sshd), input: 'x'.repeat(1_000_000) };
    const failure = await begin(connection, big, { folder }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'disk-full', wasStarted: 'no' });
    expect(readdirSync(folder ?? '')).toEqual([]);
  });

  it('that an operation fills still stores its exit code', async () => {
    const { sshd, connection } = await loggedIn();
    const folder = smallDisk(join(sshd.home, 'tiny'));
    const filling = operation(sshd, 'cat /dev/zero >&3; exit 3');
    await begin(connection, filling, { folder });
    const end = await follow(connection, filling.id, { folder });
    expect(end).toMatchObject({ outcome: 'failed', code: 3 });
    expect(end.offset).toBeGreaterThan(60_000);
  });
});

onSshd('the output of an operation', () => {
  it('is truncated when endless, and the operation completes', async () => {
    const { sshd, connection } = await loggedIn();
    const size = 68_000_000;
    const loud = operation(
      sshd,
      `for fd in 1 2 3; do head -c ${size} /dev/zero >&$fd; done; tries=0
       for fd in 1 2 3; do
         until [ "$(wc -c </proc/$$/fd/$fd)" -lt ${size} ]; do tries=$((tries + 1)); [ $tries -lt 300 ] || exit 9; sleep 0.1; done
         echo end >&$fd
       done`,
    );
    await begin(connection, loud);
    await until(() => existsSync(join(journalFolder(sshd, loud), 'run/code')));
    const late = follow(connection, loud.id, { from: size });
    await expect(late).rejects.toMatchObject({ kind: 'output-too-large', wasStarted: 'unknown' });
    const end = await follow(connection, loud.id);
    expect(end).toMatchObject({ outcome: 'succeeded', offset: 4 });
    expect(end.stdout.bytes.toString() + end.stderr.bytes.toString()).toBe('end\nend\n');
    await until(() => processesOf(loud).length === 0);
  });
});

describe('a hostile host', () => {
  const answering = async (answer: (word: string) => string | Buffer) =>
    logInTo(await aFakeHost({ exec: printing(answer) }));
  const id = randomUUID();

  it('that answers nonsense about an operation is not believed', async () => {
    let answer = '';
    const connection = await answering(() => answer);
    const nonsense = [
      'running - 0 1 99999999999 262144 0 0 0 0\nabc',
      'running - 0 1 3 0 0 0 0 0\n',
      'ended 0 0 1 0 0 0 0 0 0\nmore',
      'ended 0 0 1 0 0 5 5 0 0\nless',
      'ended 9999 0 1 0 0 0 0 0 0\n',
      'ended 0 0 1 -1 0 0 0 0 0\n',
      'newer\n',
      '{}',
      '',
    ];
    for (answer of nonsense) {
      const failure: unknown = await follow(connection, id).catch((error: unknown) => error);
      expect([answer, failure]).toMatchObject([answer, { kind: 'journal', wasStarted: 'unknown' }]);
    }
  });

  it('that reports endless progress is abandoned', async () => {
    const facts = Buffer.from('running - 0 1 999999999 262144 0 0 0 0\n');
    const connection = await answering(() => Buffer.concat([facts, Buffer.alloc(262_144)]));
    const endless = follow(connection, id, { from: 64 * 1_048_576 - 500_000 });
    await expect(endless).rejects.toMatchObject({ kind: 'output-too-large', wasStarted: 'unknown' });
  });

  it('that reports an operation as running forever is not believed', async () => {
    const connection = await answering(() => 'running - 0 1 0 0 0 0 0 0\n');
    const endless = follow(connection, id, { totalMs: 300 });
    await expect(endless).rejects.toMatchObject({ kind: 'endless', wasStarted: 'unknown' });
  });

  it('that answers nonsense to a beginning is not believed', async () => {
    let answer = '';
    const connection = await answering((word) => answer.replace('word', word));
    const once: Operation = { id, script: 'true', input: '', lock: null, mode: 'detached' };
    const failures: Record<string, unknown> = {
      '': { kind: 'journal', wasStarted: 'unknown' },
      'word begun held\n': { kind: 'journal', wasStarted: 'unknown' },
      'word started <b>\n': { kind: 'journal', wasStarted: 'unknown' },
      'word started held yes\n': { kind: 'journal', wasStarted: 'unknown' },
      'word failed\n': { kind: 'journal', wasStarted: 'no' },
      'word cut\n': { kind: 'changed-file', wasStarted: 'no' },
      'word newer 7\n': { reason: { kind: 'newer-journal', version: 7 }, wasStarted: 'no' },
    };
    for (answer of Object.keys(failures)) {
      const failure: unknown = await begin(connection, once).catch((error: unknown) => error);
      expect([answer, failure]).toMatchObject([answer, failures[answer]]);
    }
  });
});
