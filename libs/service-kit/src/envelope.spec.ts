import { describe, expect, it } from 'vitest';
import { Envelopes } from './envelope';
import { generateKeys } from './keys';

const keys = generateKeys();
const envelopesOf = (process: keyof typeof keys) => new Envelopes(keys[process]);
const body = Buffer.from('{"a":1}');
const user = { sub: 'u', role: 'admin', adminMode: false, sid: 's' } as const;

describe('an envelope', () => {
  const signed = envelopesOf('gateway').sign('auth-svc', 'auth.users.me', body, {
    requestId: 'r',
    user,
    address: '::1',
  });
  const verify = (
    envelope: string,
    subject = 'auth.users.me',
    received = body,
    caller: keyof typeof keys = 'gateway',
  ) => envelopesOf('auth-svc').verifyOnce(envelope, subject, received, [caller]);

  const verifyAs = (process: keyof typeof keys, envelope: string) =>
    envelopesOf(process).verifyOnce(envelope, 'auth.users.me', body, ['gateway']);

  it('names the caller, the user and the request', () => {
    expect(verify(signed)).toMatchObject({ by: 'gateway', rid: 'r', user, address: '::1' });
  });

  it.each([
    ['another subject', () => verify(signed, 'auth.sessions.logout'), 'another subject'],
    ['another body', () => verify(signed, undefined, Buffer.from('{}')), 'another body'],
    ['a caller that may not', () => verify(signed, undefined, body, 'ssh-agent'), 'may not call'],
    ['no envelope', () => verify(''), 'JSON'],
    ['too many parts', () => verify(`${signed}${'.'.repeat(9_000)}`), 'too long'],
    ['a cut signature', () => verify(signed.slice(0, -4)), 'signature'],
    ['a process that it was not made for', () => verifyAs('sites-svc', signed), 'bad signature'],
    ['the caller itself', () => verifyAs('gateway', signed), 'bad signature'],
  ])('is not valid for %s', (_name, attempt, reason) => {
    expect(attempt).toThrow(reason);
  });

  it('is not valid when another installation signed it', () => {
    const foreign = new Envelopes(generateKeys().gateway).sign('auth-svc', 'auth.users.me', body, { requestId: 'r' });
    expect(() => verify(foreign)).toThrow('bad signature');
  });

  it('is not valid when its claims were rewritten', () => {
    const [claims = '', signature] = signed.split('.');
    const forged = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), user: { ...user, sub: 'other' } };
    const envelope = `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`;
    expect(() => verify(envelope)).toThrow('bad signature');
  });
});

describe('an answer', () => {
  const call = envelopesOf('gateway').sign('auth-svc', 'auth.users.me', Buffer.from('{}'), { requestId: 'r' });
  const signature = envelopesOf('auth-svc').signAnswer(call, '', body, 'gateway');
  const verify = (envelope: string, code: string, received: Buffer, answerer: keyof typeof keys = 'auth-svc') =>
    envelopesOf('gateway').verifyAnswer(signature, envelope, code, received, answerer);

  const verifyCode = (code: string) => envelopesOf('gateway').verifyAnswer(code, call, '', body, 'auth-svc');

  it('is accepted from the called process', () => {
    expect(() => verify(call, '', body)).not.toThrow();
  });

  it.each([
    [
      'another call of the same contract',
      () =>
        verify(
          envelopesOf('gateway').sign('auth-svc', 'auth.users.me', Buffer.from('{}'), { requestId: 'r' }),
          '',
          body,
        ),
    ],
    ['a refusal', () => verify(call, 'forbidden', body)],
    ['another body', () => verify(call, '', Buffer.from('{"a":2}'))],
    ['another process', () => verify(call, '', body, 'sites-svc')],
    ['the code of the call itself', () => verifyCode(call.split('.')[1] ?? '')],
    ['nothing', () => verifyCode('')],
  ])('is not accepted for %s', (_name, listen) => {
    expect(listen).toThrow('is not of');
  });
});

it('hides the user of a narrowed token from a release that cannot narrow', () => {
  const narrowed = { ...user, token: 'n', groupIds: ['0190a1b2-0000-7000-8000-000000000000'] };
  const signed = envelopesOf('gateway').sign('sites-svc', 's', body, { requestId: 'r', user: narrowed });
  expect(JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString())).not.toHaveProperty('user');
  expect(envelopesOf('sites-svc').verifyOnce(signed, 's', body, ['gateway']).user).toEqual(narrowed);
});

it('accepts a user only from the gateway', () => {
  const signed = envelopesOf('ssh-agent').sign('sites-svc', 'sites.jobs.claim', body, { requestId: 'r', user });
  expect(envelopesOf('sites-svc').verifyOnce(signed, 'sites.jobs.claim', body, ['ssh-agent']).user).toBeUndefined();
  // An agent that signs a user all the same is refused by the receiver.
  const forged = new Envelopes({ ...keys['ssh-agent'], process: 'gateway' }).sign('sites-svc', 's', body, {
    requestId: 'r',
    user,
  });
  expect(() => envelopesOf('sites-svc').verifyOnce(forged, 's', body, ['gateway'])).toThrow('bad signature');
});

it('expires', () => {
  const real = Date.now;
  const signed = envelopesOf('gateway').sign('auth-svc', 's', body, { requestId: 'r' });
  try {
    Date.now = () => real() + 26_000;
    expect(() => envelopesOf('auth-svc').verifyOnce(signed, 's', body, ['gateway'])).toThrow('expired');
  } finally {
    Date.now = real;
  }
});

it('is accepted once by each receiver, until long after it has expired', () => {
  const [real, receiver] = [Date.now, envelopesOf('auth-svc')];
  const accept = (envelope: string) => receiver.verifyOnce(envelope, 's', body, ['gateway']);
  const since = real();
  try {
    Date.now = () => since;
    const signed = envelopesOf('gateway').sign('auth-svc', 's', body, { requestId: 'r' });
    accept(signed);
    for (const seconds of [0, 10, 24]) {
      Date.now = () => since + seconds * 1_000;
      expect(() => accept(signed)).toThrow('said before');
      accept(envelopesOf('gateway').sign('auth-svc', 's', body, { requestId: 'r' }));
    }
    Date.now = () => since + 60_000;
    expect(() => accept(signed)).toThrow('expired');
  } finally {
    Date.now = real;
  }
});

describe('an event', () => {
  const signed = envelopesOf('auth-svc').signEvent('auth.sessions.revoked', body, { requestId: 'r' });
  const verify = (process: keyof typeof keys, publisher: keyof typeof keys, received = body) =>
    envelopesOf(process).verifyEvent(signed, 'auth.sessions.revoked', received, publisher);

  it.each(['gateway', 'sites-svc', 'ssh-agent'] as const)('is accepted by %s', (process) => {
    expect(() => verify(process, 'auth-svc')).not.toThrow();
  });

  it('is not accepted from another publisher, with another body, or with the code of a call', () => {
    expect(() => verify('gateway', 'sites-svc')).toThrow('may not publish');
    expect(() => verify('gateway', 'auth-svc', Buffer.from('{}'))).toThrow('another body');
    const long = `${signed}${'.'.repeat(9_000)}`;
    expect(() => envelopesOf('gateway').verifyEvent(long, 's', body, 'auth-svc')).toThrow('too long');
    const call = envelopesOf('auth-svc').sign('gateway', 's', body, { requestId: 'r' });
    expect(() => envelopesOf('gateway').verifyEvent(call, 's', body, 'auth-svc')).toThrow('bad signature');
  });
});

describe('while the identity of a process is replaced', () => {
  const { identity, callers } = generateKeys()['auth-svc'];
  const ring = [...callers['auth-svc'], ...keys['auth-svc'].callers['auth-svc']];
  const knows = (process: keyof typeof keys) => ({
    ...keys[process],
    callers: { ...keys[process].callers, 'auth-svc': ring },
  });
  const gateway = new Envelopes(knows('gateway'));
  const [before, after] = [new Envelopes(knows('auth-svc')), new Envelopes({ ...knows('auth-svc'), identity })];

  it.each([
    ['the old one', before],
    ['the new one', after],
  ])('its calls and answers under %s are accepted', (_name, owner) => {
    const call = gateway.sign('auth-svc', 's', body, { requestId: 'r' });
    expect(owner.verifyOnce(call, 's', body, ['gateway']).by).toBe('gateway');
    expect(() =>
      gateway.verifyAnswer(owner.signAnswer(call, '', body, 'gateway'), call, '', body, 'auth-svc'),
    ).not.toThrow();
    const own = owner.sign('gateway', 's', body, { requestId: 'r' });
    expect(gateway.verifyOnce(own, 's', body, ['auth-svc']).by).toBe('auth-svc');
  });
});
