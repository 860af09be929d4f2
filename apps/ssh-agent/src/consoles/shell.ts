import { type AgentFrame, consoleWindow, type GatewayFrame } from '@vigie/contracts/console-frames';
import type { ConsoleSize } from '@vigie/contracts/consoles';
import type { Connection } from '@vigie/ssh/connection';
import type { SshFailure } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';
import { errorOf } from '../error-of';
import { connectMeasured } from '../measured-connect';
import type { Attachment } from './attachment';
import { OutputRing } from './output-ring';
import { sentences, type ShellEnd, troubleOf } from './troubles';

export type ShellLimits = {
  /** How long a host is not contacted because nobody has come. */
  beginMs: number;
  /** How long a shell waits for somebody to come back. */
  abandonMs: number;
  /** How long its output waits for that; then it goes on, and the oldest is forgotten. */
  patienceMs: number;
  /** After which an attachment that says nothing is one no more. */
  silenceMs: number;
};

export const defaultLimits: ShellLimits = {
  beginMs: 20_000,
  abandonMs: 900_000,
  patienceMs: 120_000,
  silenceMs: 12_000,
};

const openMs = 15_000;
/** A child in the background may hold the terminal of a shell that has exited. */
const graceMs = 2_000;

/** A host may say anything, and it is shown as ours. */
const signalName = /^SIG[A-Z0-9+-]{1,20}$/;

/** What a host may send at once. */
const maxChunkBytes = 32_768;
/** Input that a host has not taken: each attach may bring as much as a gateway holds. */
const maxInput = 524_288;

type OpenedShell = Awaited<ReturnType<Connection['openShell']>>;
type Exit = { code: number | null; signal: string | null };
type Owner = { id: string; userId: string; sid: string };
type ShellHooks = {
  onEnd: (end: ShellEnd) => void;
  /** Somebody came, or went. */
  onAttachmentChange: () => void;
};

/** One shell on one host, whoever looks at it. */
export class Shell {
  readonly id: string;
  readonly userId: string;
  sid: string;
  bytesIn = 0;
  private readonly ring = new OutputRing(consoleWindow);
  private attachment: Attachment | undefined;
  private connection: Connection | undefined;
  private channel: OpenedShell['channel'] | undefined;
  private readonly endController = new AbortController();
  private wasAttached = false;
  private mayOverwrite = false;
  private writtenBytes = 0;
  /** Who typed last. */
  private lastClient: string | undefined;
  /** The place of the first byte of output that nobody has acknowledged. */
  private acknowledgedTo = 0;
  private exit: Exit | undefined;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    owner: Owner,
    private size: ConsoleSize,
    private readonly limits: ShellLimits,
    private readonly hooks: ShellHooks,
  ) {
    this.id = owner.id;
    this.userId = owner.userId;
    this.sid = owner.sid;
    this.startAbandonTimers();
  }

  get bytesOut(): number {
    return this.ring.end;
  }

  get isAttached(): boolean {
    return this.attachment !== undefined;
  }

  get isOver(): boolean {
    return this.endController.signal.aborted;
  }

  /** `admit` comes between the login and the shell. */
  async open(target: SshTarget, admit: (hostKey: string) => Promise<void>): Promise<void> {
    const { signal } = this.endController;
    const connection = await connectMeasured(target, { signal });
    this.connection = connection;
    try {
      await admit(connection.hostKey);
      this.run(await connection.openShell({ ...this.size, ms: openMs, signal }), connection);
    } catch (error) {
      void connection.close();
      throw error;
    }
  }

  private run({ channel, exited }: OpenedShell, connection: Connection): void {
    this.channel = channel;
    channel.on('exit', (code: number | null, signal?: string) => {
      this.exit = { code: code ?? null, signal: signal && signalName.test(signal) ? signal : null };
    });
    channel.on('close', () => this.onChannelClosed());
    channel.on('data', (bytes: Buffer) => this.receiveOutput(bytes));
    channel.stderr.on('data', (bytes: Buffer) => this.receiveOutput(bytes));
    connection.onClosed((failure) => this.fail(failure));
    // Asked for while the shell was opened.
    channel.setWindow(this.size.rows, this.size.cols, 0, 0);
    void exited.then(() => this.closeAfterGrace());
    this.startAttachment();
  }

  /** Whoever was there before is told that somebody else is. */
  attach(attachment: Attachment): void {
    this.attachment?.send({ type: 'error', code: 'taken_over', message: sentences.taken_over });
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    this.attachment = attachment;
    this.mayOverwrite = false;
    if (attachment.size) this.resize(attachment.size);
    this.hooks.onAttachmentChange();
    this.startAttachment();
  }

  detach(attachment: Attachment): void {
    if (this.attachment !== attachment || this.isOver) return;
    this.attachment = undefined;
    // Nobody was told of it who could come back.
    if (!attachment.keeps || !this.wasAttached) return this.end({ reason: 'closed', failure: null });
    this.startAbandonTimers();
    return this.hooks.onAttachmentChange();
  }

  type(bytes: Buffer): void {
    if (!this.channel || this.isOver) return;
    if (this.bytesIn - this.writtenBytes + bytes.length > maxInput)
      return this.attachment && this.detachAfterLoss(this.attachment);
    this.bytesIn += bytes.length;
    this.lastClient = this.attachment?.client;
    this.channel.write(bytes, () => {
      this.writtenBytes += bytes.length;
      this.attachment?.acknowledgeInput(this.writtenBytes);
    });
  }

  receive(attachment: Attachment, frame: GatewayFrame): void {
    if (this.attachment !== attachment) return;
    if (frame.type === 'resize') this.resize(frame);
    if (frame.type === 'ack') this.applyBackpressure();
    if (frame.type === 'close') this.end({ reason: 'closed', failure: null });
    if (frame.type === 'detach') this.detach(attachment);
  }

  /** What was said is lost: whoever said it comes back and says it again. */
  detachAfterLoss(attachment: Attachment): void {
    attachment.send({ type: 'error', code: 'unavailable', message: sentences.unavailable });
    this.detach(attachment);
  }

  /** Lets go of whoever went without a word. */
  detachIfSilent(): void {
    const { attachment } = this;
    if (attachment && performance.now() - attachment.lastFrameAt > this.limits.silenceMs) this.detach(attachment);
  }

  owns(attachment: Attachment): boolean {
    return this.attachment === attachment;
  }

  end(end: ShellEnd): void {
    if (this.isOver) return;
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    const exit = this.exit ?? { code: null, signal: null };
    const trouble = troubleOf(end);
    const lastFrame: AgentFrame = trouble ? { type: 'error', ...trouble } : { type: 'exit', ...exit };
    this.attachment?.send(lastFrame);
    this.attachment = undefined;
    this.endController.abort();
    // The end of the terminal is what hangs up on what runs in it.
    this.channel?.stderr.resume();
    this.channel?.resume().close();
    void this.connection?.close();
    this.hooks.onEnd(end);
  }

  fail(failure: SshFailure): void {
    this.end({ reason: 'ssh', failure: errorOf(failure) });
  }

  private startAttachment(): void {
    if (!this.attachment || !this.channel) return;
    const isOthers = this.lastClient !== undefined && this.lastClient !== this.attachment.client;
    this.attachment.start(this.ring, { input: this.bytesIn, is_new: !this.wasAttached, is_others: isOthers });
    this.wasAttached = true;
    this.applyBackpressure();
  }

  private startAbandonTimers(): void {
    const schedule = (ms: number, work: () => void) => this.timers.push(setTimeout(work, ms));
    schedule(this.limits.abandonMs, () => this.end({ reason: 'abandoned', failure: null }));
    schedule(this.limits.patienceMs, () => {
      this.mayOverwrite = true;
      this.applyBackpressure();
    });
  }

  private receiveOutput(bytes: Buffer): void {
    if (this.isOver) return;
    this.ring.write(bytes);
    this.attachment?.sendOutput(this.ring);
    this.applyBackpressure();
  }

  /** Reads on, or lets the host wait. */
  private applyBackpressure(): void {
    const { channel } = this;
    if (!channel) return;
    if (this.attachment) this.acknowledgedTo = this.attachment.acknowledged;
    // Nobody is there: for a while nothing is overwritten that whoever comes back may have missed.
    const isFull = !this.mayOverwrite && this.ring.end - this.acknowledgedTo + maxChunkBytes > consoleWindow;
    if (isFull === channel.isPaused()) return;
    for (const stream of [channel, channel.stderr]) {
      if (isFull) stream.pause();
      else stream.resume();
    }
  }

  private resize({ cols, rows }: ConsoleSize): void {
    this.size = { cols, rows };
    this.channel?.setWindow(rows, cols, 0, 0);
  }

  private onChannelClosed(): void {
    const connectionFailure = this.connection?.end;
    if (connectionFailure && !this.exit) return this.fail(connectionFailure);
    return this.end({ reason: 'exited', failure: null });
  }

  private closeAfterGrace(): void {
    const timer = setTimeout(() => (this.channel?.isPaused() ? timer.refresh() : this.channel?.close()), graceMs);
    this.channel?.once('close', () => clearTimeout(timer));
  }
}
