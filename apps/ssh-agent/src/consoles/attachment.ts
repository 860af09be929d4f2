import { type AgentFrame, type ConsoleAttach, GatewayFrame } from '@vigie/contracts/console-frames';
import { ConsoleLine } from '@vigie/service-kit/console-line';
import type { OutputRing } from './output-ring';

const largestPart = 32_768;
/** Told less often, input would wait for room that is there. */
const tellTakenEvery = 32_768;

/** What an attachment does to its shell. */
export type Attached = {
  type: (bytes: Buffer) => void;
  hear: (frame: GatewayFrame) => void;
  /** Something that was said is lost: nothing after it may be taken. */
  lose: () => void;
};

type Options = ConsoleAttach & { place: string; publish: (frame: Buffer) => void };

/** Whoever sees a shell now, at the other end of the bus. */
export class Attachment {
  private readonly line: ConsoleLine<'agent'>;
  /** The place of the first byte of output that was not sent, and that was not acknowledged. */
  private sent = 0;
  acked = 0;
  private toldTaken = 0;
  private isBegun = false;
  heardAt = performance.now();

  constructor(
    private readonly options: Options,
    private readonly shell: Attached,
  ) {
    this.line = new ConsoleLine('agent', options, options.place, GatewayFrame, options.publish);
  }

  get keeps(): boolean {
    return this.options.keeps;
  }

  get size() {
    return this.options.size;
  }

  /** Who gives no name is somebody else each time. */
  get client(): string {
    return this.options.client ?? this.options.place;
  }

  /** The shell is there: from the byte that was asked for, or the first that is kept. */
  begin(ring: OutputRing, facts: { input: number; is_new: boolean; is_others: boolean }): void {
    const asked = Math.min(this.options.from, ring.end);
    const from = Math.max(asked, ring.start);
    this.isBegun = true;
    this.sent = from;
    this.acked = from;
    this.toldTaken = facts.input;
    this.line.send({ type: 'attached', from, lost: from - asked, ...facts });
    this.flow(ring);
  }

  /** Sends what there is. */
  flow(ring: OutputRing): void {
    if (!this.isBegun) return;
    // The host sent more than its window: what is overwritten is lost, and the reader must know.
    if (this.sent < ring.start) return this.shell.lose();
    while (this.sent < ring.end) {
      const part = ring.read(this.sent, largestPart);
      this.sent += part.length;
      this.line.sendBytes(part);
    }
  }

  noteTaken(input: number): void {
    if (input - this.toldTaken < tellTakenEvery) return;
    this.toldTaken = input;
    this.line.send({ type: 'taken', input });
  }

  tell(frame: AgentFrame): void {
    this.line.send(frame);
  }

  /** A frame of the bus, by whomever. */
  take(sealed: Uint8Array): void {
    const frame = this.line.open(sealed);
    if (frame === undefined) return;
    if (frame === 'missed') return this.shell.lose();
    this.heardAt = performance.now();
    if (Buffer.isBuffer(frame)) return this.shell.type(frame);
    if (frame.type === 'ack') this.acked = Math.max(this.acked, Math.min(frame.offset, this.sent));
    if (frame.type === 'ping') this.line.send({ type: 'pong' });
    return this.shell.hear(frame);
  }
}
