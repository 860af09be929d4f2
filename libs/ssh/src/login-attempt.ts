import type { Socket } from 'node:net';
import ssh2, { type Algorithms } from 'ssh2';
import { type Reason, SshFailure } from './failure';
import { type Greeting, bufferGreeting } from './internals';
import { Login } from './login';
import { fingerprintOf } from './openssh-key';
import type { SshTarget } from './target';

const maxMissedKeepalives = 3;

/**
 * Excludes group exchange, where the server chooses the prime, and compression, where little data expands into much.
 * ed25519 is first because the order decides which of its keys a server presents.
 */
const algorithms: Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  serverHostKey: [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
    'ssh-rsa',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
    'chacha20-poly1305@openssh.com',
  ],
  compress: ['none'],
};

type ClientError = Error & { level?: string; code?: unknown };

/** An ssh2 client from its socket to its login, with the reason of its failure. */
export class LoginAttempt {
  // ssh2 is CommonJS: a built service finds no named exports in it.
  readonly client = new ssh2.Client();
  hostKey = '';
  readonly handshakeDone: Promise<void>;
  readonly ready: Promise<void>;
  readonly failed: Promise<never>;
  failure: SshFailure | undefined;
  private fail: (failure: SshFailure) => void = () => undefined;
  private greeting: Greeting = { text: '', isComplete: false, software: new Promise(() => undefined) };
  private readonly login: Login;

  constructor(
    private readonly target: SshTarget,
    private readonly keepaliveMs: number,
  ) {
    this.login = new Login(target, (failure) => this.end(failure));
    this.handshakeDone = new Promise((resolve) => this.client.once('handshake', () => resolve()));
    this.ready = new Promise((resolve) => this.client.once('ready', () => resolve()));
    this.failed = new Promise<never>((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
  }

  /** Resolves with the name of the server's software. */
  get softwareName(): Promise<string> {
    return this.greeting.software;
  }

  get method(): 'password' | 'key' {
    return this.login.method;
  }

  start(socket: Socket): void {
    this.client
      .on('error', (error: ClientError) => this.end(new SshFailure(this.reasonOf(error))))
      .on('close', () => this.end(new SshFailure(this.lossReason(''))))
      .on('change password', () => this.end(new SshFailure({ kind: 'expired-password' })))
      .on('banner', (text) => this.login.addBanner(text));
    this.client.connect({
      sock: socket,
      username: this.target.user,
      algorithms,
      readyTimeout: 0,
      keepaliveInterval: this.keepaliveMs,
      keepaliveCountMax: maxMissedKeepalives,
      ident: 'Vigie',
      authHandler: this.login.next,
      hostVerifier: (key: Buffer) => this.verify(key),
    });
    this.greeting = bufferGreeting(this.client);
  }

  /** Keeps the first failure, because later ones follow from it. */
  end(failure: SshFailure): void {
    this.failure ??= failure;
    this.fail(this.failure);
    this.client.destroy();
  }

  /** Synchronous because ssh2 takes a promise for a yes. Runs at each key exchange; the host key may not change. */
  private verify(key: Buffer): boolean {
    const actual = fingerprintOf(key);
    const expected = this.target.hostKey ?? (this.hostKey || actual);
    if (actual !== expected) this.end(new SshFailure({ kind: 'host-key-changed', expected, actual }));
    else this.hostKey = actual;
    return actual === expected;
  }

  private reasonOf({ level, message, code }: ClientError): Reason {
    if (level === 'client-authentication') return this.login.reason();
    if (level === 'client-timeout') return { kind: 'frozen' };
    if (level === 'client-socket' || message === 'Connection lost before handshake') return this.lossReason('');
    if (!this.greeting.isComplete) return { kind: 'banner', detail: this.greeting.text };
    if (level === 'handshake') return { kind: 'key-exchange', detail: message };
    // An error without a level is the server's disconnect message, or an unreadable packet.
    return code !== undefined ? this.lossReason(message) : { kind: 'protocol', detail: message };
  }

  private lossReason(detail: string): Reason {
    const greeting = this.greeting.text;
    if (this.greeting.isComplete) {
      return /too many authentication failures/i.test(detail) ? this.login.reason() : { kind: 'closed', detail };
    }
    if (/not allowed at this time/i.test(greeting)) return { kind: 'banned', detail: greeting };
    if (greeting !== '' && !/MaxStartups/.test(greeting)) return { kind: 'banner', detail: greeting };
    return { kind: 'too-many', limit: 'MaxStartups', detail: greeting };
  }
}
