import { describe, expect, it } from 'vitest';
import { aFakeHost, aHost, closeAfterTest, failureOf } from '@vigie/testing/ssh-stage';
import { targetOf } from '@vigie/testing/ssh-targets';
import { type SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import type { Connection } from './connection';
import { exec } from './exec';
import { SshFailure } from './failure';
import { SshPool } from './pool';
import { inShell } from './script';

const aPool = (limits?: ConstructorParameters<typeof SshPool>[0]) => closeAfterTest(new SshPool(limits));
const run = (command: string) => (connection: Connection) => exec(connection, command);
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const logins = (sshd: SshHost) => sshd.log.match(/^Accepted /gm)?.length ?? 0;

const missing = hostUnavailableReason();
(missing ? describe.skip : describe)(`a pool ${missing ?? ''}`, () => {
  it('serves many at once over two connections, and keeps them warm', async () => {
    const sshd = await aHost();
    const pool = aPool();
    const target = targetOf(sshd);
    const results = await times(40, (index) => pool.use('a', target, run(`echo ${index}`)));
    expect(results.map(({ stdout }) => stdout.bytes.toString())).toEqual(results.map((_, index) => `${index}\n`));
    await pool.use('a', target, run('true'));
    expect([logins(sshd), pool.size]).toEqual([2, 2]);
  });

  it('learns how many sessions a host accepts without losing work', async () => {
    const sshd = await aHost({ settings: ['MaxSessions 2'] });
    const pool = aPool();
    const results = await times(16, () => pool.use('a', targetOf(sshd), run('sleep 0.05')));
    expect(results.every(({ outcome }) => outcome === 'succeeded')).toBe(true);
    expect(logins(sshd)).toBe(2);
  });

  it('connects again when the host drops excess connections', async () => {
    const sshd = await aHost({ settings: ['MaxStartups 2:100:2', 'LogLevel VERBOSE'] });
    const pool = aPool({ handshakes: 8 });
    const results = await times(8, (index) => pool.use(`${index}`, targetOf(sshd), run('true')));
    expect(results.every(({ outcome }) => outcome === 'succeeded')).toBe(true);
    expect(sshd.log).toMatch(/drop connection|MaxStartups/);
  });

  it('has no more handshakes at once than its limit', async () => {
    let max = 0;
    const pending: (() => void)[] = [];
    const slow = await aFakeHost({
      authenticate: (context) => {
        pending.push(() => context.accept());
        max = Math.max(max, pending.length);
        // Leaves time for a fifth login to arrive.
        if (pending.length === 4) setTimeout(() => pending.splice(0).map((accept) => accept()), 100);
      },
      exec: (accept) => {
        const channel = accept();
        channel.exit(0);
        channel.end();
      },
    });
    const pool = aPool();
    const target = targetOf(slow);
    await times(20, (index) => pool.use(`${index}`, target, run('true')));
    expect(max).toBe(4);
  });

  it('offers a refused credential twice for any number of callers, then fails without a login', async () => {
    const sshd = await aHost({ settings: ['LogLevel VERBOSE'] });
    const pool = aPool();
    const target = targetOf(sshd, { auth: { privateKey: sshd.otherKey } });
    for (let round = 0; round < 4; round += 1) {
      const failures = await times(5, () => failureOf(pool.use('a', target, run('true'))));
      expect(new Set(failures.map(({ kind }) => kind))).toEqual(new Set(['authentication']));
    }
    const refusals = () => sshd.log.match(/^Failed publickey/gm) ?? [];
    await until(() => refusals().length >= 2);
    expect(refusals()).toHaveLength(2);
    await pool.forget('a');
    expect((await pool.use('a', targetOf(sshd), run('true'))).outcome).toBe('succeeded');
  });

  it('replaces a broken connection, whose command has an unknown end', async () => {
    const sshd = await aHost();
    const pool = aPool();
    let hasBegun = false;
    const running = failureOf(
      pool.use('a', targetOf(sshd), (connection) =>
        exec(connection, inShell('echo x; exec sleep 30'), { onStdout: () => void (hasBegun = true) }),
      ),
    );
    await until(() => hasBegun);
    sshd.cutSessions();
    expect(await running).toMatchObject({ kind: 'closed', wasStarted: 'unknown' });
    expect((await pool.use('a', targetOf(sshd), run('true'))).outcome).toBe('succeeded');
    expect(logins(sshd)).toBe(2);
  });

  it('closes idle connections, and old ones once they are free', async () => {
    const sshd = await aHost();
    const idle = aPool({ idleMs: 50 });
    await idle.use('a', targetOf(sshd), run('true'));
    await until(() => idle.size === 0 && sshd.processes().length === 1);
    const old = aPool({ ageMs: 500 });
    const work = old.use('a', targetOf(sshd), run('sleep 1'));
    await until(() => old.size === 1);
    await work;
    await until(() => old.size === 0 && sshd.processes().length === 1);
    expect(logins(sshd)).toBe(2);
  });

  it('leaves nothing behind when it is closed, and fails waiting callers', async () => {
    const sshd = await aHost();
    const pool = aPool({ connections: 1, channels: 1 });
    const begun = pool.use('a', targetOf(sshd), run('sleep 30')).catch((failure: SshFailure) => failure.kind);
    await until(() => pool.size === 1);
    const waiting = failureOf(pool.use('a', targetOf(sshd), run('true')));
    await pool.close();
    expect([(await waiting).kind, await begun]).toEqual(['cancelled', 'closed']);
    await until(
      () =>
        !sshd
          .processes()
          .slice(1)
          .some((pid) => pid > 0) || sshd.processes().length === 1,
    );
  });

  it('fails a caller that waits longer than its limit', async () => {
    const sshd = await aHost();
    const pool = aPool({ connections: 1, channels: 1 });
    const busy = pool.use('a', targetOf(sshd), run('sleep 1'));
    const late = await failureOf(pool.use('a', targetOf(sshd), run('true'), { waitMs: 100 }));
    expect(late).toMatchObject({ kind: 'timed-out', wasStarted: 'no' });
    expect((await busy).outcome).toBe('succeeded');
  });

  it('does not repeat work after any other failure', async () => {
    const host = await aFakeHost();
    const pool = aPool();
    let runs = 0;
    const lost = new SshFailure({ kind: 'closed', detail: '' }, 'unknown');
    const attempt = pool.use('a', targetOf(host), () => {
      runs += 1;
      return Promise.reject(lost);
    });
    expect(await failureOf(attempt)).toBe(lost);
    expect(runs).toBe(1);
  });
});
