import { connect as dial } from 'node:net';
import { describe, expect, it } from 'vitest';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { aFakeHost, closeAfterTest } from '@vigie/testing/ssh-stage';
import { targetOf } from '@vigie/testing/ssh-targets';
import { until } from '@vigie/testing/until';
import type { Connection } from './connection';
import { exec } from './exec';
import type { SshFailure } from './failure';
import { SshPool } from './pool';

const aHost = (behaviour?: Parameters<typeof aFakeHost>[0]) =>
  aFakeHost({ exec: (accept) => accept().on('data', () => undefined), ...behaviour });
const aPool = (limits?: ConstructorParameters<typeof SshPool>[0]) => closeAfterTest(new SshPool(limits));

/** A host whose commands end on demand. */
async function aSlowHost() {
  const running: (() => void)[] = [];
  const host = await aHost({
    exec: (accept) => {
      const channel = accept();
      channel.resume();
      running.push(() => {
        channel.exit(0);
        channel.end();
      });
    },
  });
  const endAll = () => {
    for (const end of running.splice(0)) end();
  };
  return { host, running, endAll };
}

const run = (connection: Connection) => exec(connection, 'x').then(({ outcome }) => outcome);
const kindOf = (use: Promise<unknown>) => use.catch((error: unknown) => (error as SshFailure).kind);

describe('a host that is forgotten', () => {
  it('finishes running and waiting work and accepts nothing new', async () => {
    const { host, running, endAll } = await aSlowHost();
    const pool = aPool({ connections: 1, channels: 1 });
    const target = targetOf(host);
    const first = pool.use('a', target, run);
    const waiting = pool.use('a', target, run);
    await until(() => running.length === 1);
    const forgotten = pool.forget('a');
    const later = pool.use('a', target, run);
    await until(() => running.length === 2);
    expect([host.attempts.length, pool.size]).toEqual([2, 2]);
    endAll();
    await until(() => running.length === 1);
    endAll();
    expect(await Promise.all([first, waiting, later])).toEqual(['succeeded', 'succeeded', 'succeeded']);
    await until(() => pool.size === 1);
    await forgotten;
    expect(host.attempts).toHaveLength(2);
  });

  it('is closed at once when nothing runs', async () => {
    const { host, running, endAll } = await aSlowHost();
    const pool = aPool();
    const use = pool.use('a', targetOf(host), run);
    await until(() => running.length === 1);
    endAll();
    await use;
    await pool.forget('a');
    expect(pool.size).toBe(0);
  });

  it('is closed with the pool', async () => {
    const { host, running } = await aSlowHost();
    const pool = aPool();
    const use = kindOf(pool.use('a', targetOf(host), run));
    await until(() => running.length === 1);
    await pool.forget('a');
    await pool.close();
    expect([await use, pool.size]).toEqual(['closed', 0]);
  });
});

it('cuts no running work when it forgets refusals, and offers the credential again', async () => {
  let isWelcome = true;
  const { running, endAll, ...slow } = await aSlowHost();
  const host = await aHost({
    authenticate: (context) => (isWelcome ? context.accept() : context.reject(['password'])),
  });
  const pool = aPool();
  const use = pool.use('a', targetOf(slow.host), run);
  await until(() => running.length === 1);
  pool.forgetRefusals('a');
  endAll();
  expect(await use).toBe('succeeded');

  const enter = () => kindOf(pool.use('b', targetOf(host), () => Promise.resolve('in')));
  isWelcome = false;
  expect([await enter(), await enter(), await enter()]).toEqual(Array(3).fill('authentication'));
  isWelcome = true;
  expect(await enter()).toBe('authentication');
  pool.forgetRefusals('b');
  expect(await enter()).toBe('in');
});

it('offers a credential no third time while the second answer is pending', async () => {
  const refuse: (() => void)[] = [];
  const host = await aHost({
    authenticate: (context) => {
      const no = () => context.reject(['password']);
      if (context.method === 'password') refuse.push(no);
      else no();
    },
  });
  const other = await aHost();
  const pool = aPool({ channels: 1 });
  const useTwice = () => [1, 2].map(() => kindOf(pool.use('a', targetOf(host), run)));
  const first = useTwice();
  await until(() => refuse.length === 2);
  refuse.shift()?.();
  expect(await Promise.all(first)).toEqual(Array(2).fill('authentication'));
  const second = useTwice();
  // A complete login elsewhere proves that a third one would have started by now.
  expect(await kindOf(pool.use('b', targetOf(other), () => Promise.resolve('in')))).toBe('in');
  for (const answer of refuse) answer();
  expect(await Promise.all(second)).toEqual(Array(2).fill('authentication'));
  expect(refuse).toHaveLength(1);
});

describe('a host that never answered', () => {
  it('is forgotten', async () => {
    const pool = aPool();
    const closed = await aHost();
    const target = targetOf(closed);
    await closed.close();
    expect(await kindOf(pool.use('a', target, run))).toBe('refused');
    expect(await kindOf(pool.use('b', target, run, { signal: AbortSignal.abort() }))).toBe('cancelled');
    await until(() => pool.hostCount === 0);
  });

  it('is forgotten when its refusals are old enough', async () => {
    const host = await aHost({ authenticate: (context) => context.reject(['password']) });
    const pool = aPool({ rememberedMs: 200 });
    const enter = (key: string) => kindOf(pool.use(key, targetOf(host), run));
    expect(await Promise.all([enter('once'), enter('twice')])).toEqual(Array(2).fill('authentication'));
    expect(await enter('twice')).toBe('authentication');
    expect(pool.hostCount).toBeGreaterThan(0);
    await until(() => pool.hostCount === 0);
    expect(host.attempts.filter((method) => method === 'password')).toHaveLength(3);
  });
});

/** Accepts connections and sends nothing. */
async function aMuteHost() {
  let ended = 0;
  const host = closeAfterTest(await RawServer.start((socket) => socket.resume().on('close', () => (ended += 1))));
  return { host, ended: () => ended };
}

describe('logins', () => {
  it('are limited at one host over all accounts, without blocking other hosts', async () => {
    const { host: mute } = await aMuteHost();
    const pool = aPool({ handshakes: 2 });
    const tries = ['a', 'b', 'c', 'd'].map((user) => kindOf(pool.use(user, targetOf(mute, { user }), run)));
    await until(() => mute.connections === 2);
    const other = await aHost();
    expect(await pool.use('e', targetOf(other), () => Promise.resolve('in'))).toBe('in');
    expect(mute.connections).toBe(2);
    mute.cut();
    await until(() => mute.connections > 2);
    await pool.close();
    expect(await Promise.all(tries)).toEqual(Array(4).fill('cancelled'));
  });

  it('are retried when the host answers "Not allowed at this time", which may mean too many', async () => {
    const host = await aHost();
    const crowded = await RawServer.start((socket) => {
      if (crowded.connections <= 2) socket.end('Not allowed at this time\r\n');
      else socket.pipe(dial(host.port, '127.0.0.1')).pipe(socket);
    });
    closeAfterTest(crowded);
    expect(await kindOf(aPool().use('a', targetOf(crowded), () => Promise.resolve('in')))).toBe('in');
    expect(crowded.connections).toBe(3);
  });

  it('are aborted and free their place when nobody waits for them', async () => {
    const { host: mute, ended } = await aMuteHost();
    const pool = aPool({ handshakes: 1 });
    const target = targetOf(mute);
    const both = [200, 400].map((waitMs) => kindOf(pool.use('a', target, run, { waitMs })));
    await until(() => mute.connections === 1);
    expect(await both[0]).toBe('timed-out');
    expect(ended()).toBe(0);
    expect(await both[1]).toBe('timed-out');
    await until(() => ended() === 1 && pool.hostCount === 0);
    const next = kindOf(pool.use('b', target, run, { waitMs: 2_000 }));
    await until(() => mute.connections === 2);
    await pool.close();
    expect(await next).toBe('cancelled');
  });

  it('start again for a caller that comes after an abort', async () => {
    const { host: mute } = await aMuteHost();
    const pool = aPool();
    const stop = new AbortController();
    const first = kindOf(pool.use('a', targetOf(mute), run, { signal: stop.signal }));
    await until(() => mute.connections === 1);
    stop.abort();
    const second = kindOf(pool.use('a', targetOf(mute), run));
    await until(() => mute.connections === 2);
    await pool.close();
    expect(await Promise.all([first, second])).toEqual(['cancelled', 'cancelled']);
  });

  it('that have begun to authenticate complete, and their connection stays open for its idle time', async () => {
    const accepts: (() => void)[] = [];
    const host = await aHost({ authenticate: (context) => accepts.push(() => context.accept()) });
    const pool = aPool({ idleMs: 500 });
    const stop = new AbortController();
    const first = kindOf(pool.use('a', targetOf(host), run, { signal: stop.signal }));
    await until(() => accepts.length === 1);
    stop.abort();
    expect(await first).toBe('cancelled');
    accepts[0]?.();
    await until(() => pool.size === 1);
    await until(() => pool.size === 0 && pool.hostCount === 0);
    expect(accepts).toHaveLength(1);
  });
});

it('closes a connection after the idle time of its use', async () => {
  const host = await aHost();
  const pool = aPool();
  expect(await pool.use('a', targetOf(host), () => Promise.resolve('in'), { idleMs: 20 })).toBe('in');
  await until(() => pool.size === 0 && pool.hostCount === 0);
});

it('logs in again after a command that does not open, and closes the old connection', async () => {
  const deaf = await aHost({ opens: false });
  const pool = aPool({ connections: 1 });
  const useTwice = () =>
    kindOf(pool.use('a', targetOf(deaf), (connection) => exec(connection, 'x', { limits: { openMs: 100 } })));
  expect(await useTwice()).toBe('timed-out');
  await until(() => pool.size === 0);
  expect(await useTwice()).toBe('timed-out');
  expect(deaf.attempts).toHaveLength(2);
});
