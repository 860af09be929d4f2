import type { ClientChannel } from 'ssh2';
import { Capture } from './capture';
import type { Connection } from './connection';
import { type Phase, type Reason, SshFailure } from './failure';
import { sendSignal } from './internals';
import { PidLine } from './pid-line';

type ExecLimits = {
  openMs: number;
  firstByteMs?: number;
  /** Longest silence in both directions. */
  idleMs?: number;
  totalMs: number;
};

export type ExecOptions = {
  /** Standard input; it always ends. */
  input?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Receives standard output instead of keeping it. Reading pauses while its promise is pending. */
  onStdout?: (bytes: Buffer) => void | Promise<void>;
  /** Bytes to keep of each stream: the first of standard output, the last of standard error. */
  keep?: { stdout?: number; stderr?: number };
  maxBytes?: number;
  limits?: Partial<ExecLimits>;
  signal?: AbortSignal;
  /** The script's file name in metrics; undefined for a command that is part of another one. */
  name?: string;
};

export type CapturedOutput = { bytes: Buffer; dropped: number };
export type ExecResult = {
  /** Only exit code 0 is a success; without an exit code the outcome is `unknown`. */
  outcome: 'succeeded' | 'failed' | 'unknown';
  code: number | null;
  signal: string | null;
  stdout: CapturedOutput;
  stderr: CapturedOutput;
};

const defaults = { openMs: 15_000, totalMs: 60_000 };
const defaultKeep = { stdout: 1_048_576, stderr: 65_536 };
const defaultMaxBytes = 64 * 1_048_576;
/** Wait for the output of an exited command, which a background child may keep open. */
const graceMs = 2_000;
/** Interval between the steps that stop a command. */
const stopMs = 500;
const closeMs = 10_000;

/** Runs one constant command; throws an SshFailure when its end is unknown. */
export async function exec(connection: Connection, command: string, options: ExecOptions = {}): Promise<ExecResult> {
  const reportEnd = options.name === undefined ? undefined : connection.onCommand?.(options.name);
  try {
    const result = await execute(connection, command, options);
    reportEnd?.({ code: result.code });
    return result;
  } catch (failure) {
    reportEnd?.({ code: null, failure });
    throw failure;
  }
}

async function execute(connection: Connection, command: string, options: ExecOptions): Promise<ExecResult> {
  const limits = { ...defaults, ...options.limits };
  const signal = options.signal ?? new AbortController().signal;
  const { channel, exited } = await connection.open(command, { ms: limits.openMs, signal });
  const execution = new Execution(connection, channel, options);
  void exited.then(() => execution.expectClose());
  return execution.run(limits, signal);
}

class Execution {
  private readonly stdout: Capture;
  private readonly stderr: Capture;
  private readonly pidLine: PidLine;
  private readonly alarms: Alarm[] = [];
  private received = 0;
  private isPaused = false;
  private isOver = false;
  private reject: (error: unknown) => void = () => undefined;

  constructor(
    private readonly connection: Connection,
    private readonly channel: ClientChannel,
    private readonly options: ExecOptions,
  ) {
    this.stdout = new Capture(options.keep?.stdout ?? defaultKeep.stdout, 'first');
    this.stderr = new Capture(options.keep?.stderr ?? defaultKeep.stderr, 'last');
    this.pidLine = new PidLine((bytes) => this.stderr.add(bytes));
  }

  async run(limits: ExecLimits, signal: AbortSignal): Promise<ExecResult> {
    const cancel = () => this.fail({ kind: 'cancelled' });
    // A paused channel emits no `close`, so the connection's own end is watched.
    const stopListening = this.connection.onClosed(({ reason }) => this.fail(reason));
    try {
      return await new Promise<ExecResult>((resolve, reject) => {
        this.reject = reject;
        this.channel.on('close', (code?: number | null, name?: string) => this.close(code, name, resolve));
        this.channel.on('data', (bytes: Buffer) => this.receive(bytes));
        this.channel.stderr.on('data', (bytes: Buffer) => this.receiveError(bytes));
        this.startAlarm('total', limits.totalMs);
        this.startAlarm('first-byte', limits.firstByteMs);
        this.startAlarm('idle', limits.idleMs);
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
        void this.writeInput().catch((error: unknown) => this.stop(error));
      });
    } finally {
      this.isOver = true;
      stopListening();
      signal.removeEventListener('abort', cancel);
      for (const alarm of this.alarms) alarm.clear();
    }
  }

  /** Closes the channel of an exited command once its remaining output has had time to arrive. */
  expectClose(): void {
    const isPaused = () => this.isPaused && !this.isOver;
    const timer = setTimeout(() => (isPaused() ? timer.refresh() : this.channel.close()), graceMs);
    this.channel.once('close', () => clearTimeout(timer));
  }

  private close(code: number | null | undefined, name: string | undefined, resolve: (result: ExecResult) => void) {
    const connectionFailure = this.connection.failure;
    if (connectionFailure) return this.fail(connectionFailure.reason);
    const exitCode = code ?? null;
    this.pidLine.end();
    return resolve({
      outcome: exitCode === null ? 'unknown' : exitCode === 0 ? 'succeeded' : 'failed',
      code: exitCode,
      signal: name ?? null,
      stdout: { bytes: this.stdout.bytes, dropped: this.stdout.dropped },
      stderr: { bytes: this.stderr.bytes, dropped: this.stderr.dropped },
    });
  }

  private receive(bytes: Buffer): void {
    if (this.isOver || !this.count(bytes)) return;
    const { onStdout } = this.options;
    if (!onStdout) {
      this.stdout.add(bytes);
      return;
    }
    try {
      const consumed = onStdout(bytes);
      if (consumed) this.pauseFor(consumed);
    } catch (error) {
      this.stop(error);
    }
  }

  private receiveError(bytes: Buffer): void {
    if (!this.isOver && this.count(bytes)) this.pidLine.add(bytes);
  }

  private pauseFor(consumed: Promise<void>): void {
    this.isPaused = true;
    this.channel.pause();
    const resume = () => {
      this.isPaused = false;
      this.refreshAlarms();
      this.channel.resume();
    };
    consumed.then(resume, (error: unknown) => this.stop(error));
  }

  private count(bytes: Buffer): boolean {
    this.refreshAlarms();
    this.received += bytes.length;
    const { maxBytes = defaultMaxBytes } = this.options;
    if (this.received > maxBytes) this.fail({ kind: 'output-too-large', bytes: maxBytes });
    return !this.isOver;
  }

  private async writeInput(): Promise<void> {
    const { input } = this.options;
    if (input === undefined || typeof input === 'string' || input instanceof Uint8Array) {
      this.channel.end(input);
      return;
    }
    for await (const bytes of input) {
      if (this.isOver) return;
      if (!this.channel.write(bytes)) await this.drained();
      await this.connection.drained();
      this.refreshAlarms();
    }
    if (!this.isOver) this.channel.end();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.channel.off('drain', done).off('close', done);
        resolve();
      };
      this.channel.on('drain', done).on('close', done);
    });
  }

  private startAlarm(phase: Phase, ms: number | undefined): void {
    if (ms === undefined) return;
    const ring = () => {
      // A paused reader causes the silence itself.
      if (phase === 'idle' && this.isPaused) return alarm.refresh();
      return this.fail({ kind: 'timed-out', phase, seconds: ms / 1000 });
    };
    const alarm = new Alarm(phase, ms, ring);
    this.alarms.push(alarm);
  }

  /** Refreshes the alarms after bytes have moved. */
  private refreshAlarms(): void {
    for (const alarm of this.alarms) {
      if (alarm.phase === 'idle') alarm.refresh();
      if (alarm.phase === 'first-byte' && this.received > 0) alarm.clear();
    }
  }

  private fail(reason: Reason): void {
    this.stop(new SshFailure(reason, 'unknown'));
  }

  /** Rejects at once, then ends the command with signals: closing its channel or connection would leave it running. */
  private stop(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.reject(error);
    if (!this.connection.isOpen) return;
    const { channel } = this;
    channel.resume();
    sendSignal(channel, 'TERM');
    const later = (ms: number, step: () => void) => {
      const timer = setTimeout(step, ms).unref();
      channel.once('close', () => clearTimeout(timer));
    };
    later(stopMs, () => this.kill('TERM'));
    later(stopMs * 3, () => this.kill('KILL'));
    later(stopMs * 4, () => channel.close());
    // Closes the connection of a host that does not even close a channel.
    later(closeMs, () => void this.connection.close());
  }

  private kill(name: 'TERM' | 'KILL'): void {
    sendSignal(this.channel, name);
    const { pid } = this.pidLine;
    if (pid === undefined || pid <= 1) return;
    const neverAborted = new AbortController().signal;
    const opened = this.connection.open(`exec /bin/sh -c 'kill -s ${name} -- -${pid}'`, {
      ms: stopMs * 2,
      signal: neverAborted,
    });
    opened.then(
      ({ channel }) => {
        channel.resume().end();
        channel.stderr.resume();
      },
      () => undefined,
    );
  }
}

class Alarm {
  private readonly timer: NodeJS.Timeout;

  constructor(
    readonly phase: Phase,
    ms: number,
    ring: () => void,
  ) {
    this.timer = setTimeout(ring, ms);
  }

  refresh(): void {
    this.timer.refresh();
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
