import { type AgentFrame, consoleWindowBytes, type GatewayFrame } from '@vigie/contracts/console-frames';
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
  /** How long a console waits for its first client before it ends. */
  beginMs: number;
  /** How long a shell waits for a client to come back before it ends. */
  abandonMs: number;
  /** How long its output waits for a client to come back; then the oldest output is overwritten. */
  patienceMs: number;
  /** After which a silent attachment is detached. */
  silenceMs: number;
};

export const defaultLimits: ShellLimits = {
  beginMs: 20_000,
  abandonMs: 900_000,
  patienceMs: 120_000,
  silenceMs: 12_000,
};

const openMs = 15_000;
/** A background process may keep the terminal open after its shell has exited. */
const graceMs = 2_000;

/** The host may send anything as a signal name, which Vigie shows as its own text. */
const signalName = /^SIG[A-Z0-9+-]{1,20}$/;

/** The most that a host sends in one chunk. */
const maxChunkBytes = 32_768;
/** Bytes of input that the host has not read yet; each attachment may bring as much as a gateway buffers. */
const maxInput = 524_288;

type OpenedShell = Awaited<ReturnType<Connection['openShell']>>;
type Exit = { code: number | null; signal: string | null };
/** `folder` is where the shell begins. A user with whom the site is shared is told nothing of its connection. */
type Owner = { id: string; userId: string; sid: string; folder?: string | null; isShared?: boolean };
type ShellHooks = {
  onEnd: (end: ShellEnd) => void;
  /** A client has attached or detached. */
  onAttachmentChange: () => void;
};

/** One shell on one host, which clients attach to one at a time. */
export class Shell {
  readonly id: string;
  readonly userId: string;
  sid: string;
  bytesIn = 0;
  private readonly ring = new OutputRing(consoleWindowBytes);
  private attachment: Attachment | undefined;
  private connection: Connection | undefined;
  private channel: OpenedShell['channel'] | undefined;
  private readonly endController = new AbortController();
  private wasAttached = false;
  private mayOverwrite = false;
  private writtenBytes = 0;
  /** The client that typed last. */
  private lastClient: string | undefined;
  /** The offset of the first byte of output that no client has acknowledged. */
  private acknowledgedTo = 0;
  private exit: Exit | undefined;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly owner: Owner,
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

  /** `admit` is called after the login and before the shell is opened. */
  async open(target: SshTarget, admit: (hostKey: string) => Promise<void>): Promise<void> {
    const { signal } = this.endController;
    const connection = await connectMeasured(target, { signal });
    this.connection = connection;
    try {
      await admit(connection.hostKey);
      const folder = this.owner.folder ?? undefined;
      const folderName = this.owner.isShared ? 'de ce site' : undefined;
      this.run(await connection.openShell({ ...this.size, folder, folderName, ms: openMs, signal }), connection);
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
    // The size may have changed while the shell was being opened.
    channel.setWindow(this.size.rows, this.size.cols, 0, 0);
    void exited.then(() => this.closeAfterGrace());
    this.startAttachment();
  }

  /** Attaches a client; the previous one is told that another has taken over. */
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
    // No client that could come back knows of this shell.
    if (!attachment.keeps || !this.wasAttached) return this.end({ reason: 'closed', failure: null });
    this.startAbandonTimers();
    return this.hooks.onAttachmentChange();
  }

  write(bytes: Buffer): void {
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

  /** Detaches a client whose frame was lost: it will attach again and repeat it. */
  detachAfterLoss(attachment: Attachment): void {
    attachment.send({ type: 'error', code: 'unavailable', message: sentences.unavailable });
    this.detach(attachment);
  }

  /** Detaches a client that has left without saying so. */
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
    const trouble = troubleOf(end, this.owner.isShared);
    const lastFrame: AgentFrame = trouble ? { type: 'error', ...trouble } : { type: 'exit', ...exit };
    this.attachment?.send(lastFrame);
    this.attachment = undefined;
    this.endController.abort();
    // Closing the terminal sends SIGHUP to the processes in it.
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

  /** Pauses or resumes reading from the host, by how much output is not acknowledged. */
  private applyBackpressure(): void {
    const { channel } = this;
    if (!channel) return;
    if (this.attachment) this.acknowledgedTo = this.attachment.acknowledged;
    // Without a client, output that it may have missed is not overwritten for a while.
    const isFull = !this.mayOverwrite && this.ring.end - this.acknowledgedTo + maxChunkBytes > consoleWindowBytes;
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
    const connectionFailure = this.connection?.failure;
    if (connectionFailure && !this.exit) return this.fail(connectionFailure);
    return this.end({ reason: 'exited', failure: null });
  }

  private closeAfterGrace(): void {
    const timer = setTimeout(() => (this.channel?.isPaused() ? timer.refresh() : this.channel?.close()), graceMs);
    this.channel?.once('close', () => clearTimeout(timer));
  }
}
