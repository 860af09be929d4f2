import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  AgentFrame,
  type ConsoleAttach,
  type ConsoleTrouble,
  type GatewayFrame,
} from '@vigie/contracts/console-frames';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { envelopeHeaders, hasNoResponder } from '@vigie/service-kit/bus';
import { attachSealContext, ConsoleLine, consoleSubjects } from '@vigie/service-kit/console-line';
import { type Context } from '@vigie/service-kit/context';
import { seal } from '@vigie/vault/seal';

const pingEveryMs = 3_000;
const answerMs = 5_000;
const silenceMs = 12_000;
/** A bus that was lost comes back to each of us at its own time. */
const tries = 5;
const tryAgainMs = 400;

export type LinkEvents = {
  onBytes: (bytes: Buffer) => void;
  onFrame: (frame: AgentFrame) => void;
  onLost: (trouble: Extract<ConsoleTrouble, 'gone' | 'unavailable'>) => void;
};

type Wish = Omit<ConsoleAttach, 'key'>;

/** The way over the bus to the agent that has a shell. */
export class ConsoleLink {
  private readonly attachId = randomUUID();
  private readonly line: ConsoleLine<'gateway'>;
  private readonly key = randomBytes(32).toString('base64');
  private readonly subjects: ReturnType<typeof consoleSubjects>;
  private ear: ReturnType<Kit['nats']['subscribe']> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private heardAt = performance.now();
  private isOver = false;

  constructor(
    private readonly kit: Pick<Kit, 'keys' | 'envelopes'>,
    private readonly nats: Kit['nats'],
    private readonly console: string,
    private readonly events: LinkEvents,
  ) {
    this.subjects = consoleSubjects(kit.keys, console);
    const place = attachSealContext(console, this.attachId);
    const publish = (frame: Buffer) => this.nats.publish(this.subjects.in(this.attachId), frame);
    this.line = new ConsoleLine('gateway', { key: this.key }, place, AgentFrame, publish);
  }

  async attach(wish: Wish, context: Context): Promise<void> {
    const hear = (_error: Error | null, message: { data: Uint8Array }) => this.hear(message.data);
    this.ear = this.nats.subscribe(this.subjects.out(this.attachId), { callback: hear });
    const body = await this.seal(wish);
    const ask = () => {
      const signed = envelopeHeaders(this.kit.envelopes.sign(this.subjects.signed, body, context));
      return this.nats.request(this.subjects.attach, body, { headers: signed, timeout: answerMs });
    };
    if (await this.reach(ask)) this.timer = setInterval(() => void this.ping(), pingEveryMs);
  }

  send(frame: GatewayFrame): void {
    if (!this.isOver) this.line.send(frame);
  }

  type(bytes: Uint8Array): void {
    if (!this.isOver) this.line.sendBytes(bytes);
  }

  close(): void {
    this.isOver = true;
    clearInterval(this.timer);
    this.ear?.unsubscribe();
  }

  private async seal(wish: Wish): Promise<Buffer> {
    const [reader] = this.kit.keys.readers['ssh-agent'];
    if (!reader) throw new Error('no public key of ssh-agent');
    const text = JSON.stringify({ ...wish, key: this.key } satisfies ConsoleAttach);
    const sealed = await seal(text, reader, attachSealContext(this.console, this.attachId));
    return Buffer.from(JSON.stringify({ attach: this.attachId, sealed }));
  }

  private hear(sealed: Uint8Array): void {
    if (this.isOver) return;
    const frame = this.line.open(sealed);
    if (frame === undefined) return;
    if (frame === 'missed') return this.lose('unavailable');
    this.heardAt = performance.now();
    return Buffer.isBuffer(frame) ? this.events.onBytes(frame) : this.events.onFrame(frame);
  }

  private async ping(): Promise<void> {
    if (performance.now() - this.heardAt > silenceMs) return this.lose('unavailable');
    const subject = this.subjects.in(this.attachId);
    await this.reach(() => this.nats.request(subject, this.line.seal({ type: 'ping' }), { timeout: answerMs }));
  }

  /** Whether anybody is there; where nobody was, time after time, on a bus that works, the shell has gone. */
  private async reach(ask: () => Promise<unknown>): Promise<boolean> {
    for (let count = 1; !this.isOver; count += 1) {
      try {
        await ask();
        return true;
      } catch (error) {
        const isNobody = hasNoResponder(error);
        // A request that is late is no proof: silence is what counts.
        if (!isNobody && this.timer) return true;
        if (!isNobody || count >= tries) this.lose(isNobody ? 'gone' : 'unavailable');
        else await wait(tryAgainMs);
      }
    }
    return false;
  }

  private lose(trouble: Parameters<LinkEvents['onLost']>[0]): void {
    if (this.isOver) return;
    this.send({ type: 'detach' });
    this.close();
    this.events.onLost(trouble);
  }
}
