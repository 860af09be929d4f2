import { describe, expect, it } from 'vitest';
import { Envelopes } from './envelope';
import { generateKeys } from './keys';

const keys = generateKeys();
const of = (process: keyof typeof keys) => new Envelopes(keys[process]);
const body = Buffer.from('{"a":1}');
const user = { sub: 'u', role: 'admin', adminMode: false, sid: 's' } as const;

describe('an envelope', () => {
  const signed = of('gateway').sign('auth.users.me', body, { requestId: 'r', user, address: '::1' });
  const hear = (envelope: string, subject = 'auth.users.me', heard = body, caller: keyof typeof keys = 'gateway') =>
    of('auth-svc').verify(envelope, subject, heard, [caller]);

  it('names the caller, the user and the request', () => {
    expect(hear(signed)).toMatchObject({ by: 'gateway', rid: 'r', user, address: '::1' });
  });

  it.each([
    ['another subject', () => hear(signed, 'auth.sessions.logout'), 'another subject'],
    ['another body', () => hear(signed, undefined, Buffer.from('{}')), 'another body'],
    ['a caller that may not', () => hear(signed, undefined, body, 'ssh-agent'), 'may not call'],
    ['no envelope', () => hear(''), 'JSON'],
    ['a cut signature', () => hear(signed.slice(0, -4)), 'signature'],
  ])('is not valid for %s', (_name, verify, reason) => {
    expect(verify).toThrow(reason);
  });

  it('is not valid when another installation signed it', () => {
    const foreign = new Envelopes(generateKeys().gateway).sign('auth.users.me', body, { requestId: 'r' });
    expect(() => hear(foreign)).toThrow('bad signature');
  });

  it('is not valid when its claims were rewritten', () => {
    const [claims = '', signature] = signed.split('.');
    const forged = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), user: { ...user, sub: 'other' } };
    const envelope = `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`;
    expect(() => hear(envelope)).toThrow('bad signature');
  });
});

describe('an answer', () => {
  const asked = of('gateway').sign('auth.users.me', Buffer.from('{}'), { requestId: 'r' });
  const signature = of('auth-svc').signAnswer(asked, '', body);
  const hear = (envelope: string, code: string, heard: Buffer, answerer: keyof typeof keys = 'auth-svc') =>
    of('gateway').verifyAnswer(signature, envelope, code, heard, answerer);

  it('is accepted from the called process', () => {
    expect(() => hear(asked, '', body)).not.toThrow();
  });

  it.each([
    [
      'another call of the same contract',
      () => hear(of('gateway').sign('auth.users.me', Buffer.from('{}'), { requestId: 'r' }), '', body),
    ],
    ['a refusal', () => hear(asked, 'forbidden', body)],
    ['another body', () => hear(asked, '', Buffer.from('{"a":2}'))],
    ['another process', () => hear(asked, '', body, 'sites-svc')],
  ])('is not accepted for %s', (_name, listen) => {
    expect(listen).toThrow('is not of');
  });
});

it('accepts a user only from the gateway', () => {
  const signed = of('ssh-agent').sign('sites.jobs.claim', body, { requestId: 'r', user });
  expect(of('sites-svc').verify(signed, 'sites.jobs.claim', body, ['ssh-agent']).user).toBeUndefined();
  // An agent that signs a user all the same is refused by the receiver.
  const lying = new Envelopes({ ...keys['ssh-agent'], process: 'gateway' }).sign('s', body, { requestId: 'r', user });
  expect(() => of('sites-svc').verify(lying, 's', body, ['gateway'])).toThrow('bad signature');
});

it('expires', () => {
  const real = Date.now;
  const signed = of('gateway').sign('s', body, { requestId: 'r' });
  try {
    Date.now = () => real() + 26_000;
    expect(() => of('auth-svc').verify(signed, 's', body, ['gateway'])).toThrow('expired');
  } finally {
    Date.now = real;
  }
});

it('is accepted once by each receiver, until long after it has expired', () => {
  const [real, hearer] = [Date.now, of('auth-svc')];
  const say = (envelope: string) => hearer.verifyOnce(envelope, 's', body, ['gateway']);
  const since = real();
  try {
    Date.now = () => since;
    const signed = of('gateway').sign('s', body, { requestId: 'r' });
    say(signed);
    for (const seconds of [0, 10, 24]) {
      Date.now = () => since + seconds * 1_000;
      expect(() => say(signed)).toThrow('said before');
      say(of('gateway').sign('s', body, { requestId: 'r' }));
    }
    Date.now = () => since + 60_000;
    expect(() => say(signed)).toThrow('expired');
  } finally {
    Date.now = real;
  }
});
