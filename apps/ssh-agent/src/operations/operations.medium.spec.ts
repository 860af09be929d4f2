import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SshAccess } from '@vigie/contracts/credentials';
import { connect, type Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { SshPool } from '@vigie/ssh/pool';
import { targetOf } from '@vigie/testing/ssh-targets';
import { SshHost, whyNoHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { type LetGo, Later, type Running, Unestablished } from '../jobs/job-handler';
import { Operations } from './operations';

const missing = whyNoHost();
// Without an SSH server on this machine there is none to operate on.
const onSshd = missing ? describe.skip : describe;

/** All that an operation looks at of the way to its host. */
const accessTo = { row: { table: 'servers', id: randomUUID() } } as SshAccess;

onSshd(`an operation of a job ${missing ?? ''}`, () => {
  let sshd: SshHost;
  const pool = new SshPool();
  beforeAll(async () => {
    sshd = await SshHost.start();
  });
  afterAll(async () => {
    await pool.close();
    await sshd.stop();
  });

  const targetWith = (privateKey: string) => targetOf({ port: sshd.port, privateKey });
  const operationsWith = (key: () => string, seenAs = (connection: Connection) => connection) =>
    new Operations({
      use: async (_, { signal, work }) =>
        pool.use(key(), targetWith(key()), (connection) => work(seenAs(connection)), { signal }),
      open: (_, signal) => connect(targetWith(key()), { signal }),
    });
  const operations = operationsWith(() => sshd.privateKey);

  /** Its effect is one line in a file; it ends when it is let on. */
  const gated = `
read -r file; trap 'echo stopped >>"$file"; exit 143' TERM; echo begun >>"$file"; i=0
while [ $i -lt 50 ]; do i=$((i+1)); echo "ligne $i" >&3; done
until [ -e "$file.go" ]; do sleep 0.05; done; echo dit; echo ended >>"$file"`;

  function order(more: Partial<Running['job']> = {}) {
    const over = new AbortController();
    const gone = new AbortController();
    const fresh = { fence: 1, kind: 'x', input: {}, was_started: false, is_cancelling: false, heard: 0, memo: null };
    const job = { id: randomUUID(), ...fresh, ...more };
    const places: number[] = [];
    const running: Running = {
      job: { access: accessTo, ...job },
      signal: over.signal,
      gone: gone.signal,
      tell: () => undefined,
      remember: () => Promise.resolve(),
      hear: (place, telling) => {
        places.push(place);
        telling();
      },
    };
    const file = join(sshd.home, job.id);
    const lines: string[] = [];
    const task = {
      name: 'gated.sh',
      script: gated,
      input: `${file}\n`,
      lock: null,
      onLine: (line: string) => lines.push(line),
    };
    const effects = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
    return {
      running,
      task,
      lines,
      places,
      effects,
      letOn: () => writeFileSync(`${file}.go`, ''),
      letGo: (reason: LetGo) => {
        over.abort(reason);
        if (reason !== 'cancelled') gone.abort(reason);
      },
    };
  }

  /** One that runs on the host by now. */
  async function begin(job: Partial<Running['job']> = {}, task: { script?: string; lock?: string } = {}) {
    const ordered = order(job);
    const run = operations.run(ordered.running, { ...ordered.task, ...task });
    await until(() => ordered.lines.length > 0);
    return { ...ordered, run };
  }
  const killing = { access: { ...accessTo, kills_children: true } };

  it('is followed over cut connections, and each line is heard once', async () => {
    const { run, lines, effects, letOn } = await begin();
    sshd.cutSessions();
    letOn();
    const end = await run;
    expect([end.outcome, end.stdout.bytes.toString()]).toEqual(['succeeded', 'dit\n']);
    expect(lines).toEqual(Array.from({ length: 50 }, (_, n) => `ligne ${n + 1}`));
    expect(effects()).toEqual(['begun', 'ended']);
  });

  it('is looked at again where a look at it was killed', async () => {
    let looks = 0;
    const killFirst = (connection: Connection) =>
      new Proxy(connection, {
        get: (of, name) =>
          name === 'open' && looks++ === 0
            ? (_: string, options: never) => of.open('kill -9 $$', options)
            : Reflect.get(of, name, of),
      });
    const { running, task, effects, letOn } = order();
    letOn();
    const end = await operationsWith(() => sshd.privateKey, killFirst).run(running, task);
    expect([end.outcome, effects()]).toEqual(['succeeded', ['begun', 'ended']]);
    expect(looks).toBeGreaterThan(1);
  });

  it('waits for a host that lets nobody in at this time', async () => {
    const { running, task, effects, letOn } = order();
    letOn();
    let uses = 0;
    const crowded = new Operations({
      use: (_, { signal, work }) => {
        uses += 1;
        if (uses === 1) throw new SshFailure({ kind: 'banned', said: 'Not allowed at this time' });
        return pool.use('crowded', targetWith(sshd.privateKey), work, { signal });
      },
      open: () => Promise.reject(new Error('not asked for')),
    });
    const end = await crowded.run(running, task);
    expect([end.outcome, effects()]).toEqual(['succeeded', ['begun', 'ended']]);
  });

  it('goes on without its worker, for the next one to follow', async () => {
    const first = order();
    const run = operations.run(first.running, first.task);
    await until(() => first.lines.length === 50);
    first.letGo('handover');
    await expect(run).rejects.toBe('handover');
    const second = order({ id: first.running.job.id, was_started: true });
    const next = operations.run(second.running, second.task);
    first.letOn();
    expect((await next).outcome).toBe('succeeded');
    // The next one hears it all, and where it was said: what the first one told it need not tell again.
    expect([second.lines, second.places]).toEqual([first.lines, first.places]);
    expect(first.places.slice(0, 2)).toEqual(['ligne 1\n'.length, 'ligne 1\nligne 2\n'.length]);
    expect(first.effects()).toEqual(['begun', 'ended']);
  });

  it('is stopped when it is cancelled', async () => {
    const { run, effects, letGo } = await begin();
    letGo('cancelled');
    await expect(run).rejects.toBe('cancelled');
    expect(effects()).toEqual(['begun', 'stopped']);
  });

  it('has ended when it was over before it was cancelled', async () => {
    const first = order();
    first.letOn();
    await operations.run(first.running, first.task);
    const late = order({ id: first.running.job.id, was_started: true });
    late.letGo('cancelled');
    expect((await operations.run(late.running, late.task)).outcome).toBe('succeeded');
  });

  it('never reaches the host when it is cancelled before', async () => {
    const { running, task, effects, letGo } = order();
    letGo('cancelled');
    await expect(operations.run(running, task)).rejects.toBe('cancelled');
    expect(effects()).toEqual([]);
  });

  it('waits for the folder that another one has, without having begun', async () => {
    const lock = sshd.home;
    const first = await begin({}, { lock });
    const second = order();
    await expect(operations.run(second.running, { ...second.task, lock, lockSeconds: 0 })).rejects.toBeInstanceOf(
      Later,
    );
    expect(second.effects()).toEqual([]);
    first.letOn();
    await first.run;
  });

  it('is failed where it cannot have begun, and unknown where it may', async () => {
    const refused = operationsWith(() => sshd.otherKey);
    const fresh = order();
    await expect(refused.run(fresh.running, fresh.task)).rejects.toMatchObject({ kind: 'authentication' });
    const begun = order({ was_started: true });
    await expect(refused.run(begun.running, begun.task)).rejects.toBeInstanceOf(Unestablished);
  });

  it('runs on its connection where a host would kill it, and ends with it', async () => {
    const { run, effects } = await begin(killing);
    sshd.cutSessions();
    expect((await run).outcome).toBe('unknown');
    expect(effects()[0]).toBe('begun');
    expect(effects()).not.toContain('ended');
  });

  it.each([
    ['', {}],
    [', on one of its own where a host would kill it', killing],
  ])('goes on when all connections to its host are closed on purpose%s', async (_, job) => {
    const { run, effects, letOn } = await begin(job);
    await pool.forget(sshd.privateKey);
    letOn();
    expect((await run).outcome).toBe('succeeded');
    expect(effects()).toEqual(['begun', 'ended']);
  });

  it('has succeeded when it came to its end although it was asked to stop', async () => {
    const script = `read -r file; trap : TERM; echo a >&3; sleep 2; echo >"$file"; exit 0`;
    const { run, letGo } = await begin({}, { script });
    letGo('cancelled');
    expect((await run).outcome).toBe('succeeded');
  });

  it('comes to its end once it may not be stopped any more, for this worker and the next', async () => {
    const first = order();
    const mayStop = (lines: string[]) => () => lines.length < 10;
    const run = operations.run(first.running, { ...first.task, mayStop: mayStop(first.lines) });
    await until(() => first.lines.length === 50);
    first.letGo('cancelled');
    const next = order({ id: first.running.job.id, was_started: true });
    next.letGo('cancelled');
    const other = operations.run(next.running, { ...next.task, mayStop: mayStop(next.lines) });
    await until(() => next.lines.length === 50);
    first.letOn();
    expect([(await run).outcome, (await other).outcome]).toEqual(['succeeded', 'succeeded']);
    expect(first.effects()).toEqual(['begun', 'ended']);
  });

  it('is stopped as long as it may be, and never begins when it had not', async () => {
    const first = order();
    const run = operations.run(first.running, { ...first.task, mayStop: () => true });
    await until(() => first.lines.length > 0);
    first.letGo('cancelled');
    expect(await run).toMatchObject({ wasStopped: true, outcome: 'unknown' });
    expect(first.effects()).toEqual(['begun', 'stopped']);
    const second = order({ was_started: true });
    second.letGo('cancelled');
    await expect(operations.run(second.running, { ...second.task, mayStop: () => true })).rejects.toBe('cancelled');
    expect((await operations.run(order({ id: second.running.job.id }).running, second.task)).outcome).toBe('failed');
    expect(second.effects()).toEqual([]);
  });

  it('leaves no journal that nobody asks for any more', async () => {
    const old = join(sshd.home, '.vigie/operations', randomUUID());
    const first = order({ access: { ...accessTo, row: { table: 'servers', id: randomUUID() } } });
    first.letOn();
    mkdirSync(join(old, 'run'), { recursive: true });
    const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
    for (const path of [join(old, 'run'), old]) utimesSync(path, longAgo, longAgo);
    await operations.run(first.running, first.task);
    await until(() => !existsSync(old));
    expect(existsSync(join(sshd.home, '.vigie/operations', first.running.job.id))).toBe(true);
  });

  it('does not look for a script that was never finished: what ended without an exit code is unknown', async () => {
    const { run, letOn } = await begin({}, { script: `${gated}\nkill -9 $$` });
    letOn();
    expect((await run).outcome).toBe('unknown');
  });
});
