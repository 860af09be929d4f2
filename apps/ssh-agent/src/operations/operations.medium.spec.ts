import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SshAccess } from '@vigie/contracts/credentials';
import { connect, type Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { SshPool } from '@vigie/ssh/pool';
import { targetOf } from '@vigie/testing/ssh-targets';
import { SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { type StopReason, RetryLater, type JobContext, OutcomeUnknown } from '../jobs/job-handler';
import { Operations } from './operations';

const missing = hostUnavailableReason();
// Skipped on a machine without an SSH server.
const onSshd = missing ? describe.skip : describe;

/** The only part of an access that operations read. */
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
  const operationsWith = (key: () => string, wrap = (connection: Connection) => connection) =>
    new Operations({
      use: async (_, { signal, work }) =>
        pool.use(key(), targetWith(key()), (connection) => work(wrap(connection)), { signal }),
      open: (_, signal) => connect(targetWith(key()), { signal }),
    });
  const operations = operationsWith(() => sshd.privateKey);

  /** Writes one line to a file as it starts and one as it ends; it ends once `file.go` exists. */
  const gated = `
read -r file; trap 'echo stopped >>"$file"; exit 143' TERM; echo begun >>"$file"; i=0
while [ $i -lt 50 ]; do i=$((i+1)); echo "ligne $i" >&3; done
until [ -e "$file.go" ]; do sleep 0.05; done; echo dit; echo ended >>"$file"`;

  function order(more: Partial<JobContext['job']> = {}) {
    const jobEnd = new AbortController();
    const leaseEnd = new AbortController();
    const fresh = { fence: 1, kind: 'x', input: {}, was_started: false, is_cancelling: false, heard: 0, memo: null };
    const job = { id: randomUUID(), ...fresh, ...more };
    const offsets: number[] = [];
    const context: JobContext = {
      job: { access: accessTo, ...job },
      signal: jobEnd.signal,
      leaseSignal: leaseEnd.signal,
      report: () => undefined,
      saveCheckpoint: () => Promise.resolve(),
      reportAt: (offset, send) => {
        offsets.push(offset);
        send();
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
      context,
      task,
      lines,
      offsets,
      effects,
      openGate: () => writeFileSync(`${file}.go`, ''),
      stop: (reason: StopReason) => {
        jobEnd.abort(reason);
        if (reason !== 'cancelled') leaseEnd.abort(reason);
      },
    };
  }

  /** Starts an operation, and waits until it runs on the host. */
  async function start(job: Partial<JobContext['job']> = {}, task: { script?: string; lock?: string } = {}) {
    const operation = order(job);
    const run = operations.run(operation.context, { ...operation.task, ...task });
    await until(() => operation.lines.length > 0);
    return { ...operation, run };
  }
  const killing = { access: { ...accessTo, kills_children: true } };

  it('is followed over cut connections, and each line is read once', async () => {
    const { run, lines, effects, openGate } = await start();
    sshd.cutSessions();
    openGate();
    const end = await run;
    expect([end.outcome, end.stdout.bytes.toString()]).toEqual(['succeeded', 'dit\n']);
    expect(lines).toEqual(Array.from({ length: 50 }, (_, n) => `ligne ${n + 1}`));
    expect(effects()).toEqual(['begun', 'ended']);
  });

  it('is read again when reading it was killed', async () => {
    let reads = 0;
    const killFirst = (connection: Connection) =>
      new Proxy(connection, {
        get: (target, name) =>
          name === 'open' && reads++ === 0
            ? (_: string, options: never) => target.open('kill -9 $$', options)
            : Reflect.get(target, name, target),
      });
    const { context, task, effects, openGate } = order();
    openGate();
    const end = await operationsWith(() => sshd.privateKey, killFirst).run(context, task);
    expect([end.outcome, effects()]).toEqual(['succeeded', ['begun', 'ended']]);
    expect(reads).toBeGreaterThan(1);
  });

  it('waits for a host that lets nobody in at this time', async () => {
    const { context, task, effects, openGate } = order();
    openGate();
    let uses = 0;
    const crowded = new Operations({
      use: (_, { signal, work }) => {
        uses += 1;
        if (uses === 1) throw new SshFailure({ kind: 'banned', detail: 'Not allowed at this time' });
        return pool.use('crowded', targetWith(sshd.privateKey), work, { signal });
      },
      open: () => Promise.reject(new Error('not asked for')),
    });
    const end = await crowded.run(context, task);
    expect([end.outcome, effects()]).toEqual(['succeeded', ['begun', 'ended']]);
  });

  it('goes on without its worker, and the next one follows it', async () => {
    const first = order();
    const run = operations.run(first.context, first.task);
    await until(() => first.lines.length === 50);
    first.stop('handover');
    await expect(run).rejects.toBe('handover');
    const second = order({ id: first.context.job.id, was_started: true });
    const next = operations.run(second.context, second.task);
    first.openGate();
    expect((await next).outcome).toBe('succeeded');
    // The next worker reads everything, with its offsets, and so knows what the first one has reported.
    expect([second.lines, second.offsets]).toEqual([first.lines, first.offsets]);
    expect(first.offsets.slice(0, 2)).toEqual(['ligne 1\n'.length, 'ligne 1\nligne 2\n'.length]);
    expect(first.effects()).toEqual(['begun', 'ended']);
  });

  it('is stopped when it is cancelled', async () => {
    const { run, effects, stop } = await start();
    stop('cancelled');
    await expect(run).rejects.toBe('cancelled');
    expect(effects()).toEqual(['begun', 'stopped']);
  });

  it('has ended when it ended before it was cancelled', async () => {
    const first = order();
    first.openGate();
    await operations.run(first.context, first.task);
    const late = order({ id: first.context.job.id, was_started: true });
    late.stop('cancelled');
    expect((await operations.run(late.context, late.task)).outcome).toBe('succeeded');
  });

  it('never reaches the host when it is cancelled before', async () => {
    const { context, task, effects, stop } = order();
    stop('cancelled');
    await expect(operations.run(context, task)).rejects.toBe('cancelled');
    expect(effects()).toEqual([]);
  });

  it('waits for the folder that another one has locked, without starting', async () => {
    const lock = sshd.home;
    const first = await start({}, { lock });
    const second = order();
    await expect(operations.run(second.context, { ...second.task, lock, lockSeconds: 0 })).rejects.toBeInstanceOf(
      RetryLater,
    );
    expect(second.effects()).toEqual([]);
    first.openGate();
    await first.run;
  });

  it('has failed when it cannot have started, and is unknown when it may have', async () => {
    const refused = operationsWith(() => sshd.otherKey);
    const fresh = order();
    await expect(refused.run(fresh.context, fresh.task)).rejects.toMatchObject({ kind: 'authentication' });
    const begun = order({ was_started: true });
    await expect(refused.run(begun.context, begun.task)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  it('runs on its own connection on a host that kills children, and ends with it', async () => {
    const { run, effects } = await start(killing);
    sshd.cutSessions();
    expect((await run).outcome).toBe('unknown');
    expect(effects()[0]).toBe('begun');
    expect(effects()).not.toContain('ended');
  });

  it.each([
    ['', {}],
    [', on its own connection on a host that kills children', killing],
  ])('goes on when all connections to its host are closed on purpose%s', async (_, job) => {
    const { run, effects, openGate } = await start(job);
    await pool.forget(sshd.privateKey);
    openGate();
    expect((await run).outcome).toBe('succeeded');
    expect(effects()).toEqual(['begun', 'ended']);
  });

  it('has succeeded when it ended although it was asked to stop', async () => {
    const script = `read -r file; trap : TERM; echo a >&3; sleep 2; echo >"$file"; exit 0`;
    const { run, stop } = await start({}, { script });
    stop('cancelled');
    expect((await run).outcome).toBe('succeeded');
  });

  it('runs to its end once it may no longer be stopped, for this worker and the next', async () => {
    const first = order();
    const mayStop = (lines: string[]) => () => lines.length < 10;
    const run = operations.run(first.context, { ...first.task, mayStop: mayStop(first.lines) });
    await until(() => first.lines.length === 50);
    first.stop('cancelled');
    const next = order({ id: first.context.job.id, was_started: true });
    next.stop('cancelled');
    const other = operations.run(next.context, { ...next.task, mayStop: mayStop(next.lines) });
    await until(() => next.lines.length === 50);
    first.openGate();
    expect([(await run).outcome, (await other).outcome]).toEqual(['succeeded', 'succeeded']);
    expect(first.effects()).toEqual(['begun', 'ended']);
  });

  it('is stopped as long as it may be, and never starts when it had not', async () => {
    const first = order();
    const run = operations.run(first.context, { ...first.task, mayStop: () => true });
    await until(() => first.lines.length > 0);
    first.stop('cancelled');
    expect(await run).toMatchObject({ wasStopped: true, outcome: 'unknown' });
    expect(first.effects()).toEqual(['begun', 'stopped']);
    const second = order({ was_started: true });
    second.stop('cancelled');
    await expect(operations.run(second.context, { ...second.task, mayStop: () => true })).rejects.toBe('cancelled');
    expect((await operations.run(order({ id: second.context.job.id }).context, second.task)).outcome).toBe('failed');
    expect(second.effects()).toEqual([]);
  });

  it('removes old journals', async () => {
    const old = join(sshd.home, '.vigie/operations', randomUUID());
    const first = order({ access: { ...accessTo, row: { table: 'servers', id: randomUUID() } } });
    first.openGate();
    mkdirSync(join(old, 'run'), { recursive: true });
    const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
    for (const path of [join(old, 'run'), old]) utimesSync(path, longAgo, longAgo);
    await operations.run(first.context, first.task);
    await until(() => !existsSync(old));
    expect(existsSync(join(sshd.home, '.vigie/operations', first.context.job.id))).toBe(true);
  });

  it('is unknown when it ended without an exit code', async () => {
    const { run, openGate } = await start({}, { script: `${gated}\nkill -9 $$` });
    openGate();
    expect((await run).outcome).toBe('unknown');
  });
});
