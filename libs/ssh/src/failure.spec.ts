import { describe, expect, it } from 'vitest';
import { readable, type Reason, SshFailure } from './failure';

const detail = 'Bye';
const [expected, actual] = ['SHA256:old', 'SHA256:new'];
const authentication = {
  kind: 'authentication',
  method: 'key',
  offered: ['publickey'],
  isPartial: false,
  detail,
} as const;
const reasons: Reason[] = [
  { kind: 'unresolved', host: 'example.invalid' },
  { kind: 'unasked', host: 'example.invalid' },
  { kind: 'forbidden', address: '169.254.169.254' },
  { kind: 'unreachable', address: '192.0.2.1' },
  { kind: 'refused', address: '192.0.2.1', port: 22 },
  { kind: 'timed-out', phase: 'banner', seconds: 1.5 },
  { kind: 'timed-out', phase: 'idle', seconds: 60 },
  { kind: 'banner', detail: 'HTTP/1.1 400' },
  { kind: 'key-exchange', detail },
  { kind: 'host-key-changed', expected, actual },
  { kind: 'invalid-key' },
  authentication,
  { ...authentication, method: 'password', offered: ['password'] },
  { ...authentication, isPartial: true },
  { ...authentication, method: 'password' },
  { kind: 'expired-password' },
  { kind: 'banned', detail },
  { kind: 'too-many', limit: 'MaxStartups', detail: '' },
  { kind: 'too-many', limit: 'MaxSessions', detail },
  { kind: 'no-shell', detail },
  { kind: 'sftp-only' },
  { kind: 'killed', signal: 'SIGKILL' },
  { kind: 'closed', detail },
  { kind: 'frozen' },
  { kind: 'protocol', detail },
  { kind: 'output-too-large', bytes: 5_000_000 },
  { kind: 'changed-file', detail },
  { kind: 'locked', path: '/srv/site' },
  { kind: 'disk-full', detail: 'No space left on device' },
  { kind: 'no-journal' },
  { kind: 'newer-journal', version: 2 },
  { kind: 'journal', detail },
  { kind: 'endless' },
  { kind: 'cancelled' },
];

describe('a failure', () => {
  it.each(reasons)('says in French what happened and what to do: %j', (reason) => {
    const { message, remedy, kind } = new SshFailure(reason);
    expect(kind).toBe(reason.kind);
    for (const sentence of [message, remedy]) {
      expect(sentence).toMatch(/^[\p{Lu}\d].*[.]$/u);
      expect(sentence).not.toMatch(/ [:;!?»]|« |'|undefined|\[object/);
      expect(sentence).not.toMatch(/[^\u00a0A-Z0-9]:|[^\u202f][;!?]/);
    }
  });

  it('names both keys of a server whose key changed', () => {
    expect(new SshFailure({ kind: 'host-key-changed', expected, actual }).message).toContain(
      'SHA256:old était attendue, SHA256:new est présentée',
    );
  });

  it('distinguishes a refused credential, a method not offered, and a second factor', () => {
    const refused = new SshFailure(authentication).message;
    const notOffered = new SshFailure({ ...authentication, method: 'password' }).message;
    const second = new SshFailure({ ...authentication, offered: ['keyboard-interactive'], isPartial: true }).message;
    expect([refused, notOffered, second]).toEqual([
      'Le serveur refuse la clé de cet utilisateur\u00a0: «\u00a0Bye\u00a0».',
      'Le serveur n’accepte pas de mot de passe pour ce compte, seulement publickey.',
      'Le serveur accepte la clé, mais demande un second facteur (keyboard-interactive).',
    ]);
  });

  it('means by default that nothing was started', () => {
    expect(new SshFailure({ kind: 'frozen' }).wasStarted).toBe('no');
    expect(new SshFailure({ kind: 'frozen' }, 'unknown').wasStarted).toBe('unknown');
  });
});

describe('text from a host', () => {
  it('is shown as one short line without control characters', () => {
    expect(readable('a\r\n\u001b]0;title\u0007b\u202ec\u0000')).toBe('a ]0;title b c');
    expect(readable('x'.repeat(10_000))).toHaveLength(301);
  });
});
