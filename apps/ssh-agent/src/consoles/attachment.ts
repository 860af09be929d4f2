import { type AgentFrame, type ConsoleAttach, GatewayFrame } from '@vigie/contracts/console-frames';
import { ConsoleLine } from '@vigie/service-kit/console-line';
import type { OutputRing } from './output-ring';

const maxPartBytes = 32_768;
/** Told less often, input would wait for room that is there. */
const reportInputEvery = 32_768;

/** What an attachment does to its shell. */
export type ShellControls = {
  type: (bytes: Buffer) => void;
  receive: (frame: GatewayFrame) => void;
  /** Something that was said is lost: nothing after it may be taken. */
  reportLoss: () => void;
};

type Options = ConsoleAttach & { sealContext: string; publish: (frame: Buffer) => void };

/** Whoever sees a shell now, at the other end of the bus. */
export class Attachment {
  private readonly line: ConsoleLine<'agent'>;
  /** The place of the first byte of output that was not sent, and that was not acknowledged. */
  private sent = 0;
  acknowledged = 0;
  private reportedInput = 0;
  private hasStarted = false;
  lastFrameAt = performance.now();

  constructor(
    private readonly options: Options,
    private readonly shell: ShellControls,
  ) {
    this.line = new ConsoleLine('agent', options, options.sealContext, GatewayFrame, options.publish);
  }

  get keeps(): boolean {
    return this.options.keeps;
  }

  get size() {
    return this.options.size;
  }

  /** Who gives no name is somebody else each time. */
  get client(): string {
    return this.options.client ?? this.options.sealContext;
  }

  /** The shell is there: from the byte that was asked for, or the first that is kept. */
  start(ring: OutputRing, facts: { input: number; is_new: boolean; is_others: boolean }): void {
    const requested = Math.min(this.options.from, ring.end);
    const from = Math.max(requested, ring.start);
    this.hasStarted = true;
    this.sent = from;
    this.acknowledged = from;
    this.reportedInput = facts.input;
    this.line.send({ type: 'attached', from, lost: from - requested, ...facts });
    this.sendOutput(ring);
  }

  /** Sends what there is. */
  sendOutput(ring: OutputRing): void {
    if (!this.hasStarted) return;
    // The host sent more than its window: what is overwritten is lost, and the reader must know.
    if (this.sent < ring.start) return this.shell.reportLoss();
    while (this.sent < ring.end) {
      const part = ring.read(this.sent, maxPartBytes);
      this.sent += part.length;
      this.line.sendBytes(part);
    }
  }

  acknowledgeInput(input: number): void {
    if (input - this.reportedInput < reportInputEvery) return;
    this.reportedInput = input;
    this.line.send({ type: 'taken', input });
  }

  send(frame: AgentFrame): void {
    this.line.send(frame);
  }

  /** A frame of the bus, by whomever. */
  receiveSealed(sealed: Uint8Array): void {
    const frame = this.line.open(sealed);
    if (frame === undefined) return;
    if (frame === 'missed') return this.shell.reportLoss();
    this.lastFrameAt = performance.now();
    if (Buffer.isBuffer(frame)) return this.shell.type(frame);
    if (frame.type === 'ack') this.acknowledged = Math.max(this.acknowledged, Math.min(frame.offset, this.sent));
    if (frame.type === 'ping') this.line.send({ type: 'pong' });
    return this.shell.receive(frame);
  }
}
