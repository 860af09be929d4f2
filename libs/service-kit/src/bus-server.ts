import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { headers, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { Caller, Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import { Sealed, seal } from '@vigie/vault/seal';
import { firstValueFrom } from 'rxjs';
import {
  answerHeader,
  answerSealContext,
  envelopeHeader,
  errorHeader,
  presenceSubject,
  inputSealContext,
  subjectOf,
} from './bus';
import { runInContext } from './context';
import { refuseToStart } from './env';
import { type Claims, type Envelopes, UnallowedCaller } from './envelope';
import { callRefusal, toAnswer } from './failures';
import { handledContracts, handlerFaults } from './handles';
import type { KeyFile } from './keys';
import { unsealWith } from './live-keys';
import type { Log } from './log';
import { busAnswers } from './measures';
import { inSpan, readTraceparent, traceHeader } from './traces';
import { turnEnd } from './turn-end';

/** Above this limit the service refuses calls at once, instead of answering all of them too late. */
const maxInFlight = 256;
const drainMs = 4_000;

/** Nest’s transport over the bus. Each contract is one queue group, so that replicas share the calls. */
export class BusServer extends Server implements CustomTransportStrategy {
  private readonly patterns: string[] = [];
  private readonly subscriptions: Subscription[] = [];
  private presence: Subscription | undefined;
  private inFlight = 0;

  constructor(
    private readonly app: Caller,
    private readonly nats: NatsConnection,
    private readonly envelopes: Envelopes,
    private readonly keys: Pick<KeyFile, 'opens' | 'readers' | 'instance'>,
    private readonly log: Log,
  ) {
    super();
  }

  /** Nest silently replaces the first handler of a pattern by the second; both are kept here, to be refused. */
  override addHandler(pattern: string, handler: MessageHandler, isEvent?: boolean, extras?: Record<string, unknown>) {
    this.patterns.push(pattern);
    super.addHandler(pattern, handler, isEvent, extras);
  }

  listen(ready: () => void): void {
    const faults = handlerFaults(this.app, this.patterns, [...handledContracts]);
    if (faults.length > 0) refuseToStart(faults);
    for (const contract of handledContracts) {
      const handler = this.messageHandlers.get(contract.name);
      if (handler) this.subscriptions.push(this.subscribe(contract, handler));
    }
    const presence = `${this.keys.instance}.${presenceSubject(this.app)}`;
    this.presence = this.nats.subscribe(presence, {
      queue: this.app,
      callback: (_error, message) => void message.respond(),
    });
    ready();
  }

  async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.drain()));
    const deadline = Date.now() + drainMs;
    while (this.inFlight > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    // Drained last, because callers of running work must still find this process present.
    await this.presence?.drain();
  }

  on(): never {
    throw new Error('this transport has no events');
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Nest's signature
  unwrap<T>(): T {
    return this.nats as T;
  }

  private subscribe(contract: Contract, handler: MessageHandler): Subscription {
    const callback = (error: Error | null, message: Msg) => {
      if (error) return this.log.error({ err: error, subject: contract.name }, 'subscription failed');
      void this.serve(contract, handler, message);
    };
    return this.nats.subscribe(subjectOf(this.keys, contract), { queue: this.app, callback });
  }

  private async serve(contract: Contract, handler: MessageHandler, message: Msg): Promise<void> {
    this.inFlight += 1;
    const end = busAnswers.startTimer({ contract: contract.name });
    let claims: Claims | undefined;
    try {
      claims = this.admit(contract, message);
      // Only contracts with a role know how to reach less than all that their user reaches.
      if (claims.user?.groupIds && !contract.grantRole) throw narrowedToken();
      if (this.inFlight > maxInFlight) throw overloaded();
      const requestId = claims.rid;
      const context = {
        requestId,
        user: claims.user,
        address: claims.address,
        idempotencyKey: claims.key,
        traceparent: readTraceparent(message.headers?.get(traceHeader)),
        grantRole: contract.grantRole,
      };
      const span = { name: contract.name, kind: 'server', attributes: { 'vigie.request.id': requestId } } as const;
      const output = await runInContext(context, () => inSpan(span, () => this.run(contract, handler, message)));
      const answer = await this.sealAnswer(contract, claims.by, output);
      await turnEnd();
      this.answer(message, claims.by, answer);
      end({ outcome: 'ok' });
    } catch (error) {
      const refusal = toAnswer(error, this.log, claims?.rid ?? 'unsigned');
      this.refuse(message, claims?.by ?? unallowedCaller(error), refusal);
      end({ outcome: refusal.code });
    } finally {
      this.inFlight -= 1;
    }
  }

  private admit(contract: Contract, message: Msg) {
    try {
      const envelope = message.headers?.get(envelopeHeader) ?? '';
      return this.envelopes.verifyOnce(envelope, contract.name, message.data, contract.callers);
    } catch (cause) {
      this.log.warn({ err: cause, subject: contract.name }, 'a call was refused');
      throw callRefusal(cause);
    }
  }

  private async run(contract: Contract, handler: MessageHandler, message: Msg): Promise<unknown> {
    const body = await this.openFields(contract, message.json());
    const input = contract.received.safeParse(body);
    if (!input.success) throw toAppError(input.error);
    const output = await firstValueFrom(this.transformToObservable(await handler(input.data, undefined)));
    return contract.output.parse(output);
  }

  private async openFields(contract: Contract, body: unknown): Promise<unknown> {
    if (!contract.sealed || typeof body !== 'object' || body === null) return body;
    const opened: Record<string, unknown> = { ...body };
    for (const field of contract.sealed.fields) {
      if (opened[field] === undefined || opened[field] === null) continue;
      // A secret that crossed the bus in the clear is a bug of the caller, and is never tolerated.
      const sealed = Sealed.parse(opened[field]);
      opened[field] = JSON.parse(await unsealWith(this.keys, sealed, inputSealContext(contract, field, body)));
    }
    return opened;
  }

  private async sealAnswer(contract: Contract, caller: Caller, output: unknown): Promise<unknown> {
    if (contract.sealedAnswer.length === 0) return output;
    const [reader] = this.keys.readers[caller];
    if (!reader) throw new Error(`no public key of ${caller}`);
    const answer: Record<string, unknown> = { ...Object(output) };
    for (const field of contract.sealedAnswer) {
      answer[field] = await seal(
        JSON.stringify(answer[field]),
        reader,
        answerSealContext(caller, contract.name, field),
      );
    }
    return answer;
  }

  /** An answer to nobody that proved to be a caller is not signed: it could be taken for the answer to another call. */
  private answer(message: Msg, caller: Caller | undefined, output: unknown, code = ''): void {
    const body = Buffer.from(JSON.stringify(output));
    const signed = headers();
    const envelope = message.headers?.get(envelopeHeader) ?? '';
    if (caller) signed.set(answerHeader, this.envelopes.signAnswer(envelope, code, body, caller));
    if (code !== '') signed.set(errorHeader, code);
    message.respond(body, { headers: signed });
  }

  private refuse(message: Msg, caller: Caller | undefined, error: AppError): void {
    try {
      this.answer(message, caller, { detail: error.detail, retryAfter: error.retryAfter }, error.code);
    } catch (cause) {
      this.log.warn({ err: cause }, 'an answer could not be sent');
    }
  }
}

const unallowedCaller = (error: unknown) =>
  error instanceof AppError && error.cause instanceof UnallowedCaller ? error.cause.caller : undefined;

const narrowedToken = () =>
  new AppError('forbidden', 'Ce jeton ne vaut que pour certains groupes\u00a0: cette action les dépasse.');

const overloaded = () =>
  new AppError('unavailable', 'Le service est saturé. Réessayez dans quelques secondes.', { retryAfter: 2 });
