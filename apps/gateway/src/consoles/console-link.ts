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
/** After the bus was lost, gateway and agent reconnect at different times. */
const maxTries = 5;
const retryMs = 400;

export type LinkEvents = {
  onBytes: (bytes: Buffer) => void;
  onFrame: (frame: AgentFrame) => void;
  onLost: (trouble: Extract<ConsoleTrouble, 'gone' | 'unavailable'>) => void;
};

type AttachRequest = Omit<ConsoleAttach, 'key'>;

/** The link over the bus to the agent that runs a shell. */
export class ConsoleLink {
  private readonly attachId = randomUUID();
  private readonly line: ConsoleLine<'gateway'>;
  private readonly key = randomBytes(32).toString('base64');
  private readonly subjects: ReturnType<typeof consoleSubjects>;
  private subscription: ReturnType<Kit['nats']['subscribe']> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private lastFrameAt = performance.now();
  private isOver = false;

  constructor(
    private readonly kit: Pick<Kit, 'keys' | 'envelopes'>,
    private readonly nats: Kit['nats'],
    private readonly console: string,
    private readonly events: LinkEvents,
  ) {
    this.subjects = consoleSubjects(kit.keys, console);
    const sealContext = attachSealContext(console, this.attachId);
    const publish = (frame: Buffer) => this.nats.publish(this.subjects.in(this.attachId), frame);
    this.line = new ConsoleLine('gateway', { key: this.key }, sealContext, AgentFrame, publish);
  }

  async attach(request: AttachRequest, context: Context): Promise<void> {
    const callback = (_error: Error | null, message: { data: Uint8Array }) => this.receive(message.data);
    this.subscription = this.nats.subscribe(this.subjects.out(this.attachId), { callback });
    const body = await this.seal(request);
    const send = () => {
      const signed = envelopeHeaders(this.kit.envelopes.sign('ssh-agent', this.subjects.signed, body, context));
      return this.nats.request(this.subjects.attach, body, { headers: signed, timeout: answerMs });
    };
    if (await this.request(send)) this.timer = setInterval(() => void this.ping(), pingEveryMs);
  }

  send(frame: GatewayFrame): void {
    if (!this.isOver) this.line.send(frame);
  }

  write(bytes: Uint8Array): void {
    if (!this.isOver) this.line.sendBytes(bytes);
  }

  close(): void {
    this.isOver = true;
    clearInterval(this.timer);
    this.subscription?.unsubscribe();
  }

  private async seal(request: AttachRequest): Promise<Buffer> {
    const [reader] = this.kit.keys.readers['ssh-agent'];
    if (!reader) throw new Error('no public key of ssh-agent');
    const text = JSON.stringify({ ...request, key: this.key } satisfies ConsoleAttach);
    const sealed = await seal(text, reader, attachSealContext(this.console, this.attachId));
    return Buffer.from(JSON.stringify({ attach: this.attachId, sealed }));
  }

  private receive(sealed: Uint8Array): void {
    if (this.isOver) return;
    const frame = this.line.open(sealed);
    if (frame === undefined) return;
    if (frame === 'missed') return this.end('unavailable');
    this.lastFrameAt = performance.now();
    return Buffer.isBuffer(frame) ? this.events.onBytes(frame) : this.events.onFrame(frame);
  }

  private async ping(): Promise<void> {
    if (performance.now() - this.lastFrameAt > silenceMs) return this.end('unavailable');
    const subject = this.subjects.in(this.attachId);
    await this.request(() => this.nats.request(subject, this.line.seal({ type: 'ping' }), { timeout: answerMs }));
  }

  /** Whether the agent is there. After several requests without a subscriber on a working bus, the shell is gone. */
  private async request(send: () => Promise<unknown>): Promise<boolean> {
    for (let attempt = 1; !this.isOver; attempt += 1) {
      try {
        await send();
        return true;
      } catch (error) {
        const isGone = hasNoResponder(error);
        // A late response proves nothing: `ping` acts on silence instead.
        if (!isGone && this.timer) return true;
        if (!isGone || attempt >= maxTries) this.end(isGone ? 'gone' : 'unavailable');
        else await wait(retryMs);
      }
    }
    return false;
  }

  private end(trouble: Parameters<LinkEvents['onLost']>[0]): void {
    if (this.isOver) return;
    this.send({ type: 'detach' });
    this.close();
    this.events.onLost(trouble);
  }
}
