import { type AgentFrame, type ConsoleAttach, GatewayFrame } from '@vigie/contracts/console-frames';
import { ConsoleLine } from '@vigie/service-kit/console-line';
import type { OutputRing } from './output-ring';

const maxPartBytes = 32_768;
/** In bytes. Acknowledged less often, input would wait although there is room. */
const reportInputEvery = 32_768;

/** What an attachment may do to its shell. */
export type ShellControls = {
  write: (bytes: Buffer) => void;
  receive: (frame: GatewayFrame) => void;
  /** A frame was lost, so that no later one may be used. */
  reportLoss: () => void;
};

type Options = ConsoleAttach & { sealContext: string; publish: (frame: Buffer) => void };

/** The connection over the bus to the one client that sees a shell now. */
export class Attachment {
  private readonly line: ConsoleLine<'agent'>;
  /** Offsets in the output: the first byte that was not sent, and the first that was not acknowledged. */
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

  /** A client without a name counts as a different one each time. */
  get client(): string {
    return this.options.client ?? this.options.sealContext;
  }

  /** Starts sending once the shell is open, from the requested byte or the first one that is kept. */
  start(ring: OutputRing, state: { input: number; is_new: boolean; is_others: boolean }): void {
    const requested = Math.min(this.options.from, ring.end);
    const from = Math.max(requested, ring.start);
    this.hasStarted = true;
    this.sent = from;
    this.acknowledged = from;
    this.reportedInput = state.input;
    this.line.send({ type: 'attached', from, lost: from - requested, ...state });
    this.sendOutput(ring);
  }

  /** Sends all output that was not sent yet. */
  sendOutput(ring: OutputRing): void {
    if (!this.hasStarted) return;
    // The host sent more than its window: output was overwritten, and the reader must know.
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

  /** Opens a frame from the bus, which anybody may have sent. */
  receiveSealed(sealed: Uint8Array): void {
    const frame = this.line.open(sealed);
    if (frame === undefined) return;
    if (frame === 'missed') return this.shell.reportLoss();
    this.lastFrameAt = performance.now();
    if (Buffer.isBuffer(frame)) return this.shell.write(frame);
    if (frame.type === 'ack') this.acknowledged = Math.max(this.acknowledged, Math.min(frame.offset, this.sent));
    if (frame.type === 'ping') this.line.send({ type: 'pong' });
    return this.shell.receive(frame);
  }
}
