import { errors, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { type Caller, type Contract, type Event, type Input, type Output, ownerOf } from '@vigie/contracts/contract';
import { AppError, type ErrorDetail, isErrorCode } from '@vigie/contracts/errors';
import type { SealedText } from '@vigie/contracts/text';
import { Sealed, seal } from '@vigie/vault/seal';
import { v7 as uuid } from 'uuid';
import type { z } from 'zod';
import { type Context, currentContext } from './context';
import type { Envelopes } from './envelope';
import { unavailable } from './failures';
import type { KeyFile } from './keys';
import { unsealWith } from './live-keys';
import type { Log } from './log';
import { busCalls } from './measures';
import { maxMessageBytes } from './messages';
import { inSpan, traceHeader } from './traces';
import { turnEnd } from './turn-end';
import { presenceCheckMs, WaitingCalls } from './waiting-calls';

export const envelopeHeader = 'Vigie-Envelope';
export const errorHeader = 'Vigie-Error';
export const answerHeader = 'Vigie-Answer';
/** Subject where every replica of a process answers pings. It carries no data, so nobody has to sign it. */
export const presenceSubject = (app: Caller) => `presence.${app}`;
/** Binds a sealed field to its call, its name and the fields of `boundTo`, so that it cannot be replayed elsewhere. */
export function inputSealContext({ name, sealed }: Contract, field: string, input: object): string {
  const values = new Map(Object.entries(input));
  const bound = (sealed?.boundTo ?? []).map((other) => values.get(other) ?? null);
  return `transit|${name}|${field}${bound.length > 0 ? `|${JSON.stringify(bound)}` : ''}`;
}
/** Binds a sealed answer to its caller, too. */
export const answerSealContext = (caller: Caller, subject: string, field: string) =>
  `answer|${caller}|${subject}|${field}`;

export type ForwardedInput<C extends Contract> = {
  [F in keyof z.input<C['input']>]: z.input<C['input']>[F] | SealedText;
};

/** The subject of a call or an event. The prefix separates installations that share a server. */
export const subjectOf = ({ instance }: Pick<KeyFile, 'instance'>, { name }: { name: string }) => `${instance}.${name}`;

/** Calls the owners of contracts and publishes events: the only connection between processes. */
export class Bus {
  private readonly waiting = new WaitingCalls((owner) => this.findLoss(owner));

  constructor(
    private readonly nats: NatsConnection,
    private readonly envelopes: Envelopes,
    private readonly keys: Pick<KeyFile, 'process' | 'opens' | 'readers' | 'instance'>,
    private readonly log: Log,
  ) {}

  async call<C extends Contract>(contract: C, input: z.input<C['input']> | Input<C>): Promise<Output<C>> {
    return this.send(contract, await this.sealFields(contract, input));
  }

  /** Passes on fields that the gateway sealed for the owner of this call, and that nobody in between can read. */
  async forward<C extends Contract>(contract: C, input: ForwardedInput<C>): Promise<Output<C>> {
    return this.send(contract, input);
  }

  private async send<C extends Contract>(contract: C, input: unknown): Promise<Output<C>> {
    const end = busCalls.startTimer({ contract: contract.name });
    try {
      const answer = await inSpan({ name: contract.name, kind: 'client' }, () => this.sendSigned(contract, input));
      end({ outcome: 'ok' });
      return answer;
    } catch (error) {
      end({ outcome: error instanceof AppError ? error.code : 'internal' });
      throw error;
    }
  }

  private async sendSigned<C extends Contract>(contract: C, input: unknown): Promise<Output<C>> {
    const body = encode(input);
    const context = callContext();
    const signed = withTrace(this.envelopes.sign(ownerOf(contract.name), contract.name, body, context), context);
    const reply = await this.request(contract, body, signed);
    const code = reply.headers?.get(errorHeader) ?? '';
    this.verifyAnswer(contract, signed.get(envelopeHeader), code, reply);
    if (code) throw toAppError(code, reply);
    return (await this.openAnswer(contract, reply.json())) as Output<C>;
  }

  /** Anybody on the bus can answer any call, so only an answer signed by its owner counts. */
  private verifyAnswer(contract: Contract, envelope: string, code: string, reply: Msg): void {
    try {
      const signature = reply.headers?.get(answerHeader) ?? '';
      this.envelopes.verifyAnswer(signature, envelope, code, reply.data, ownerOf(contract.name));
    } catch (cause) {
      this.log.error({ err: cause, subject: contract.name }, 'an answer was refused');
      throw unavailable(cause);
    }
  }

  /** Publishes a hint that may reach nobody. */
  publish<E extends Event>(event: E, payload: z.output<E['payload']>): void {
    const [body, context] = [encode(payload), callContext()];
    const signed = withTrace(this.envelopes.signEvent(event.name, body, context), context);
    this.nats.publish(subjectOf(this.keys, event), body, { headers: signed });
  }

  subscribe<E extends Event>(event: E, listen: (payload: z.output<E['payload']>) => void): void {
    const callback = (error: Error | null, message: Msg) => {
      try {
        if (error) throw error;
        this.envelopes.verifyEvent(
          message.headers?.get(envelopeHeader) ?? '',
          event.name,
          message.data,
          event.publisher,
        );
        listen(event.payload.parse(message.json()) as z.output<E['payload']>);
      } catch (cause) {
        this.log.warn({ err: cause, subject: event.name }, 'an event was refused');
      }
    };
    this.nats.subscribe(subjectOf(this.keys, event), { callback });
  }

  private async request(contract: Contract, body: Uint8Array, signed: MsgHdrs): Promise<Msg> {
    // A request on a lost connection would wait in a buffer until its deadline.
    if (this.isDisconnected) throw unavailable();
    // A retry would be as large, so this must not look like an unavailable bus.
    if (body.length > maxMessageBytes) throw new AppError('too_large', 'Cet appel est trop grand.');
    await turnEnd();
    try {
      const answer = this.nats.request(subjectOf(this.keys, contract), body, {
        timeout: contract.timeoutMs,
        headers: signed,
      });
      return await this.waiting.wait(ownerOf(contract.name), answer);
    } catch (cause) {
      this.log.warn({ err: cause, subject: contract.name }, 'a call got no answer');
      throw unavailable(cause);
    }
  }

  private async findLoss(owner: Caller): Promise<unknown> {
    if (this.isDisconnected) return new Error('the bus was lost');
    const ping = this.nats.request(`${this.keys.instance}.${presenceSubject(owner)}`, undefined, {
      timeout: presenceCheckMs,
    });
    return ping.then(
      () => undefined,
      (error: unknown) => (hasNoResponder(error) ? error : undefined),
    );
  }

  private isDisconnected = false;
  private connectedAt = performance.now();

  get connectedMs(): number {
    return this.isDisconnected ? 0 : performance.now() - this.connectedAt;
  }

  async watch(): Promise<void> {
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect') this.isDisconnected = true;
      if (status.type === 'reconnect') {
        this.isDisconnected = false;
        this.connectedAt = performance.now();
      }
      if (status.type === 'disconnect' || status.type === 'reconnect') this.log.warn(`bus: ${status.type}`);
    }
  }

  private async sealFields(contract: Contract, input: unknown): Promise<unknown> {
    const target = contract.forwardsTo ?? contract;
    const { sealed } = target;
    if (!sealed || typeof input !== 'object' || input === null) return input;
    const [reader] = this.keys.readers[sealed.reader];
    if (!reader) throw new Error(`no public key of ${sealed.reader}`);
    const entries = Object.entries(input).map(async ([field, value]) => {
      if (!sealed.fields.includes(field) || value === undefined || value === null) return [field, value];
      return [field, await seal(JSON.stringify(value), reader, inputSealContext(target, field, input))];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  private async openAnswer(contract: Contract, answer: Record<string, unknown>): Promise<unknown> {
    for (const field of contract.sealedAnswer) {
      const sealContext = answerSealContext(this.keys.process, contract.name, field);
      answer[field] = JSON.parse(await unsealWith(this.keys, Sealed.parse(answer[field]), sealContext));
    }
    return answer;
  }
}

export const hasNoResponder = (error: unknown): boolean =>
  error instanceof errors.NoRespondersError || (error instanceof Error && hasNoResponder(error.cause));

export function envelopeHeaders(envelope: string) {
  const signed = headers();
  signed.set(envelopeHeader, envelope);
  return signed;
}

const callContext = (): Context => currentContext() ?? { requestId: uuid() };

function withTrace(envelope: string, { traceparent }: Context) {
  const signed = envelopeHeaders(envelope);
  if (traceparent !== undefined) signed.set(traceHeader, traceparent);
  return signed;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value));

function toAppError(code: string, reply: Msg): AppError {
  if (!isErrorCode(code)) throw new Error(`unknown error code on the bus: ${code}`);
  const { detail, retryAfter } = reply.json<{ detail: ErrorDetail; retryAfter?: number }>();
  return new AppError(code, detail, retryAfter === undefined ? {} : { retryAfter });
}
