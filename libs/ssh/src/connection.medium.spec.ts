import { connect as dial } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { utils } from 'ssh2';
import { RawServer, cutRelay } from '@vigie/testing/hostile-ssh';
import { aFakeHost, aHost, closeAfterTest, failureOf } from '@vigie/testing/ssh-stage';
import { targetOf } from '@vigie/testing/ssh-targets';
import { hostPassword, type SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { connect, type ConnectOptions, type Step } from './connection';
import { SshFailure } from './failure';
import type { SshTarget } from './target';

const target = (port: number, rest?: Partial<SshTarget>) => targetOf({ port }, rest);
const withKey = (sshd: SshHost, rest: Partial<SshTarget> = {}) => targetOf(sshd, { hostKey: sshd.hostKey, ...rest });
const login = async (sshTarget: SshTarget, options?: ConnectOptions) =>
  closeAfterTest(await connect(sshTarget, options));

const missing = hostUnavailableReason();
(missing ? describe.skip : describe)(`a real sshd ${missing ?? ''}`, () => {
  it('accepts a key, step by step', async () => {
    const sshd = await aHost();
    const steps: Step[] = [];
    const connection = await login(withKey(sshd), { onStep: (step) => steps.push(step) });
    expect(steps).toMatchObject([
      { phase: 'resolve', addresses: ['127.0.0.1'] },
      { phase: 'connect', address: '127.0.0.1' },
      { phase: 'handshake', hostKey: sshd.hostKey, software: expect.stringMatching(/^OpenSSH_/) },
      { phase: 'authenticate', method: 'key' },
    ]);
    expect(steps.every(({ ms }) => ms >= 0)).toBe(true);
    expect(connection.isOpen).toBe(true);
    await connection.close();
    expect(connection.isOpen).toBe(false);
    await until(() => sshd.processes().length === 1);
  });

  it('accepts a password, and shows its fingerprint when none is pinned', async () => {
    const sshd = await aHost();
    const connection = await login(withKey(sshd, { auth: { password: hostPassword }, hostKey: null }));
    expect(connection.hostKey).toBe(sshd.hostKey);
    await until(() => sshd.log.includes('Accepted password for sh'));
  });

  it.each(['password', 'key'] as const)('is offered a wrong %s only once', async (method) => {
    const sshd = await aHost({ settings: ['LogLevel VERBOSE'] });
    const auth = method === 'password' ? { password: 'secret-canary' } : { privateKey: sshd.otherKey };
    const failure = await failureOf(connect(withKey(sshd, { auth })));
    expect(failure).toMatchObject({ kind: 'authentication', wasStarted: 'no' });
    expect(failure.reason).toMatchObject({ method, offered: ['publickey', 'password'], isPartial: false });
    await until(() => sshd.log.includes('closed'));
    expect(sshd.log.match(/^Failed (password|publickey)/gm)).toHaveLength(1);
  });

  it('never receives a password that it does not accept', async () => {
    const sshd = await aHost({ settings: ['PasswordAuthentication no', 'LogLevel VERBOSE'] });
    const failure = await failureOf(connect(withKey(sshd, { auth: { password: 'secret-canary' } })));
    expect(failure.message).toContain('seulement publickey');
    await until(() => sshd.log.includes('closed'));
    expect(sshd.log).not.toContain('Failed');
  });

  it('receives no credential when its key has changed', async () => {
    const before = await aHost();
    const pinned = before.hostKey;
    await before.stop();
    const after = await aHost({ port: before.port, settings: ['LogLevel DEBUG2'] });
    const failure = await failureOf(connect(withKey(after, { hostKey: pinned })));
    expect(failure.reason).toEqual({ kind: 'host-key-changed', expected: pinned, actual: after.hostKey });
    await until(() => after.log.includes('closed'));
    expect(after.log).not.toContain('userauth-request');
  });

  it('that asks for a second factor is reported with the first one accepted', async () => {
    const sshd = await aHost({ settings: ['AuthenticationMethods publickey,password'] });
    const failure = await failureOf(connect(withKey(sshd)));
    expect(failure.reason).toMatchObject({ kind: 'authentication', isPartial: true, offered: ['password'] });
  });

  it('without a common algorithm is reported', async () => {
    const sshd = await aHost({ settings: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'] });
    expect(await failureOf(connect(withKey(sshd)))).toMatchObject({ kind: 'key-exchange' });
  });

  it('keeps its connection through repeated key exchanges', async () => {
    const sshd = await aHost({ settings: ['RekeyLimit default 1s'] });
    const connection = await login(withKey(sshd, { hostKey: null }), { limits: { keepaliveMs: 700 } });
    await until(() => performance.now() - connection.openedAt > 2_500);
    expect(connection.isOpen).toBe(true);
  });

  it('loses its connection when it freezes', async () => {
    const sshd = await aHost();
    const connection = await login(withKey(sshd), { limits: { keepaliveMs: 100 } });
    sshd.signal('SIGSTOP');
    expect((await connection.closed).kind).toBe('frozen');
    expect(connection.isOpen).toBe(false);
  });

  it('closes the connection when its session dies', async () => {
    const sshd = await aHost();
    const connection = await login(withKey(sshd));
    sshd.cutSessions();
    expect((await connection.closed).kind).toBe('closed');
  });

  it('cut after any number of bytes is a failure, and nothing else', async () => {
    const sshd = await aHost({ settings: ['MaxStartups 100'] });
    const kinds = new Set<string>();
    for (let bytes = 0; bytes < 2_400; bytes += 149) {
      const cut = await cutRelay(sshd.port, bytes, 'cut');
      const outcome = await connect({ ...withKey(sshd), port: cut.port }).catch((failure: SshFailure) => failure);
      if (outcome instanceof SshFailure) expect(outcome).toMatchObject({ wasStarted: 'no' });
      kinds.add(outcome instanceof SshFailure ? outcome.kind : 'connected');
      if (!(outcome instanceof SshFailure)) await outcome.close();
      await cut.close();
    }
    expect([...kinds].filter((kind) => kind !== 'connected').sort()).toEqual(['closed', 'too-many']);
  });

  it('hanging after any number of bytes fails at the deadline of the phase', async () => {
    const sshd = await aHost({ settings: ['MaxStartups 100'] });
    // Long enough for the bytes before the hang on a slow machine.
    const limits = { connectMs: 4_000, bannerMs: 4_000, handshakeMs: 4_000, authenticateMs: 4_000 };
    const hangAt = async (bytes: number) => {
      const hung = closeAfterTest(await cutRelay(sshd.port, bytes, 'hang'));
      const { reason } = await failureOf(connect({ ...withKey(sshd), port: hung.port }, { limits }));
      return 'phase' in reason ? reason.phase : reason.kind;
    };
    const phases = await Promise.all([0, 10, 60, 1_000, 1_500].map(hangAt));
    expect(phases).toEqual(['banner', 'banner', 'handshake', 'handshake', 'authenticate']);
  });
});

const noDropbear = hostUnavailableReason('dropbear');
(noDropbear ? describe.skip : describe)(`a real dropbear ${noDropbear ?? ''}`, () => {
  it('accepts the right key and refuses a wrong one', async () => {
    const dropbear = await aHost({ program: 'dropbear' });
    expect((await login(withKey(dropbear))).isOpen).toBe(true);
    const wrong = withKey(dropbear, { auth: { privateKey: dropbear.otherKey } });
    expect(await failureOf(connect(wrong))).toMatchObject({ kind: 'authentication' });
  });
});

describe('a hostile server', () => {
  const raw = async (serve: Parameters<typeof RawServer.start>[0]) => closeAfterTest(await RawServer.start(serve));
  const failureAt = ({ port }: { port: number }, limits: ConnectOptions['limits'] = {}) =>
    failureOf(connect(target(port), { limits }));

  it('that is mute times out', async () => {
    const mute = await raw(() => undefined);
    expect((await failureAt(mute, { bannerMs: 300 })).reason).toEqual({
      kind: 'timed-out',
      phase: 'banner',
      seconds: 0.3,
    });
  });

  it('that drips its greeting times out', async () => {
    const dripping = await raw((socket) => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await failureAt(dripping, { bannerMs: 300 })).reason).toMatchObject({ kind: 'timed-out', phase: 'banner' });
  });

  it('that floods its greeting is cut off', async () => {
    const flooding = await raw((socket) => {
      const flood = () => {
        while (socket.write('hello\r\n'.repeat(2_000)));
        socket.once('drain', flood);
      };
      flood();
    });
    expect((await failureAt(flooding)).kind).toBe('banner');
  });

  it('that speaks another protocol is reported as not SSH', async () => {
    const web = await raw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
    const failure = await failureAt(web);
    expect(failure.kind).toBe('banner');
    expect(failure.message).toContain('HTTP/1.1 400 Bad Request');
  });

  it.each([
    ['', 'too-many'],
    ['Exceeded MaxStartups\r\n', 'too-many'],
    ['Not allowed at this time\r\n', 'banned'],
    ['SSH-1.5-old\r\n', 'protocol'],
    ['SSH-2.0-x\r\n\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000', 'key-exchange'],
    [`SSH-2.0-x\r\n${'\u00ff'.repeat(64)}`, 'key-exchange'],
  ])('that sends %j and closes is recognised', async (greeting, kind) => {
    const brief = await raw((socket) => {
      socket.on('data', () => undefined);
      socket.end(greeting, 'latin1');
    });
    const failure = await failureAt(brief);
    expect([kind, 'closed', 'protocol']).toContain(failure.kind);
    if (!greeting.startsWith('SSH')) expect(failure.kind).toBe(kind);
  });

  it('that sends its identification byte by byte is still understood', async () => {
    const fake = await aFakeHost();
    const slow = await raw((near) => {
      const far = dial(fake.port, '127.0.0.1');
      const waiting: number[] = [];
      const timer = setInterval(() => waiting.length > 0 && near.write(Buffer.from(waiting.splice(0, 1))), 1);
      far.once('data', (first) => {
        waiting.push(...first);
        far.on('data', (bytes) => waiting.push(...bytes));
      });
      near.on('data', (bytes) => far.write(bytes)).on('close', () => [clearInterval(timer), far.destroy()]);
    });
    await login(target(slow.port), { limits: { bannerMs: 20_000, handshakeMs: 30_000, authenticateMs: 30_000 } });
    expect(fake.attempts).toEqual(['none']);
  });

  it('that asks for the password as a question gets it once', async () => {
    const answers: string[][] = [];
    const asking = await aFakeHost({
      authenticate: (context) => {
        if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
        return context.prompt([{ prompt: 'Password:', echo: false }], (typed) => {
          answers.push(typed);
          context.accept();
        });
      },
    });
    await login(target(asking.port));
    expect([asking.attempts, answers]).toEqual([['none', 'keyboard-interactive'], [['secret-canary']]]);
  });

  it('that then asks for a code gets nothing more', async () => {
    const asking = await aFakeHost({
      authenticate: (context) => {
        if (context.method !== 'keyboard-interactive') return context.reject(['keyboard-interactive']);
        return context.prompt([{ prompt: 'Password:', echo: false }], () =>
          context.prompt([{ prompt: 'Code:', echo: false }], () => context.accept()),
        );
      },
    });
    expect((await failureAt(asking)).reason).toMatchObject({ kind: 'authentication', isPartial: true });
  });

  it.each([0, 1])('that accepts packets of %i bytes loses the connection before any write', async (packetSize) => {
    const behaviour = { packetSize, shell: () => undefined, exec: (accept: () => unknown) => accept() };
    const tiny = await aFakeHost(behaviour);
    const opening = { ms: 2_000, signal: new AbortController().signal };
    const shell = (await login(target(tiny.port))).openShell({ cols: 80, rows: 24, ...opening });
    expect((await failureOf(shell)).kind).toBe('protocol');
    const connection = await login(target(tiny.port));
    expect(await failureOf(connection.open('cat', opening))).toMatchObject({ kind: 'protocol', wasStarted: 'unknown' });
    expect(connection.isOpen).toBe(false);
  });

  it('that never answers a login times out', async () => {
    const silent = await aFakeHost({ authenticate: () => undefined });
    expect((await failureAt(silent, { authenticateMs: 600 })).reason).toMatchObject({
      kind: 'timed-out',
      phase: 'authenticate',
    });
  });

  it('receives no login attempt when another key is pinned', async () => {
    const fake = await aFakeHost();
    const failure = await failureOf(connect(target(fake.port, { hostKey: 'SHA256:other' })));
    expect(failure).toMatchObject({ kind: 'host-key-changed', reason: { expected: 'SHA256:other' } });
    expect(fake.attempts).toEqual([]);
  });
});

describe('an attempt to connect', () => {
  it('contacts no address that the rule forbids', async () => {
    const raw = closeAfterTest(await RawServer.start(() => undefined));
    const checkedAddresses: string[] = [];
    const mayConnect = (address: string) => checkedAddresses.push(address) < 0;
    for (const name of ['127.0.0.1', 'localhost', '127.1', '2130706433']) {
      expect((await failureOf(connect(target(raw.port, { host: name, mayConnect })))).kind).toBe('forbidden');
    }
    expect(checkedAddresses).toContain('127.0.0.1');
    expect(raw.connections).toBe(0);
  });

  it('reports a name without address and a closed port', async () => {
    expect((await failureOf(connect(target(22, { host: 'a'.repeat(64) })))).kind).toBe('unresolved');
    const raw = await RawServer.start(() => undefined);
    const { port } = raw;
    await raw.close();
    expect((await failureOf(connect(target(port)))).reason).toEqual({ kind: 'refused', address: '127.0.0.1', port });
  });

  it('does not begin with a key that cannot be read', async () => {
    const raw = closeAfterTest(await RawServer.start(() => undefined));
    const broken = target(raw.port, { auth: { privateKey: 'not a key' } });
    expect((await failureOf(connect(broken))).kind).toBe('invalid-key');
    expect(raw.connections).toBe(0);
  });

  it('ends when it is cancelled', async () => {
    const mute = closeAfterTest(await RawServer.start(() => undefined));
    const stop = new AbortController();
    const attempt = failureOf(connect(target(mute.port), { signal: stop.signal }));
    await until(() => mute.connections === 1);
    stop.abort();
    expect((await attempt).kind).toBe('cancelled');
  });

  it('leaves no secret in its failures', async () => {
    const refusing = await aFakeHost({ authenticate: (context) => context.reject(['password', 'publickey']) });
    const { private: privateKey } = utils.generateKeyPairSync('ed25519');
    for (const auth of [{ password: 'secret-canary' }, { privateKey }]) {
      const failure = await failureOf(connect(target(refusing.port, { auth })));
      const all = inspect(failure, { depth: 20, showHidden: true });
      expect(all).not.toContain('secret-canary');
      expect(all).not.toContain(privateKey.split('\n')[3]);
    }
  });
});
