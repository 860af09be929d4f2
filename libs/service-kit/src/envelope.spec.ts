import { describe, expect, it } from 'vitest';
import { Envelopes } from './envelope';
import { generateKeys } from './keys';

const keys = generateKeys();
const envelopesOf = (process: keyof typeof keys) => new Envelopes(keys[process]);
const body = Buffer.from('{"a":1}');
const user = { sub: 'u', role: 'admin', adminMode: false, sid: 's' } as const;

describe('an envelope', () => {
  const signed = envelopesOf('gateway').sign('auth.users.me', body, { requestId: 'r', user, address: '::1' });
  const verify = (
    envelope: string,
    subject = 'auth.users.me',
    received = body,
    caller: keyof typeof keys = 'gateway',
  ) => envelopesOf('auth-svc').verify(envelope, subject, received, [caller]);

  it('names the caller, the user and the request', () => {
    expect(verify(signed)).toMatchObject({ by: 'gateway', rid: 'r', user, address: '::1' });
  });

  it.each([
    ['another subject', () => verify(signed, 'auth.sessions.logout'), 'another subject'],
    ['another body', () => verify(signed, undefined, Buffer.from('{}')), 'another body'],
    ['a caller that may not', () => verify(signed, undefined, body, 'ssh-agent'), 'may not call'],
    ['no envelope', () => verify(''), 'JSON'],
    ['a cut signature', () => verify(signed.slice(0, -4)), 'signature'],
  ])('is not valid for %s', (_name, attempt, reason) => {
    expect(attempt).toThrow(reason);
  });

  it('is not valid when another installation signed it', () => {
    const foreign = new Envelopes(generateKeys().gateway).sign('auth.users.me', body, { requestId: 'r' });
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
  const call = envelopesOf('gateway').sign('auth.users.me', Buffer.from('{}'), { requestId: 'r' });
  const signature = envelopesOf('auth-svc').signAnswer(call, '', body);
  const verify = (envelope: string, code: string, received: Buffer, answerer: keyof typeof keys = 'auth-svc') =>
    envelopesOf('gateway').verifyAnswer(signature, envelope, code, received, answerer);

  it('is accepted from the called process', () => {
    expect(() => verify(call, '', body)).not.toThrow();
  });

  it.each([
    [
      'another call of the same contract',
      () => verify(envelopesOf('gateway').sign('auth.users.me', Buffer.from('{}'), { requestId: 'r' }), '', body),
    ],
    ['a refusal', () => verify(call, 'forbidden', body)],
    ['another body', () => verify(call, '', Buffer.from('{"a":2}'))],
    ['another process', () => verify(call, '', body, 'sites-svc')],
  ])('is not accepted for %s', (_name, listen) => {
    expect(listen).toThrow('is not of');
  });
});

it('accepts a user only from the gateway', () => {
  const signed = envelopesOf('ssh-agent').sign('sites.jobs.claim', body, { requestId: 'r', user });
  expect(envelopesOf('sites-svc').verify(signed, 'sites.jobs.claim', body, ['ssh-agent']).user).toBeUndefined();
  // An agent that signs a user all the same is refused by the receiver.
  const forged = new Envelopes({ ...keys['ssh-agent'], process: 'gateway' }).sign('s', body, { requestId: 'r', user });
  expect(() => envelopesOf('sites-svc').verify(forged, 's', body, ['gateway'])).toThrow('bad signature');
});

it('expires', () => {
  const real = Date.now;
  const signed = envelopesOf('gateway').sign('s', body, { requestId: 'r' });
  try {
    Date.now = () => real() + 26_000;
    expect(() => envelopesOf('auth-svc').verify(signed, 's', body, ['gateway'])).toThrow('expired');
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
    const signed = envelopesOf('gateway').sign('s', body, { requestId: 'r' });
    accept(signed);
    for (const seconds of [0, 10, 24]) {
      Date.now = () => since + seconds * 1_000;
      expect(() => accept(signed)).toThrow('said before');
      accept(envelopesOf('gateway').sign('s', body, { requestId: 'r' }));
    }
    Date.now = () => since + 60_000;
    expect(() => accept(signed)).toThrow('expired');
  } finally {
    Date.now = real;
  }
});
