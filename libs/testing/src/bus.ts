import { connect, headers, type Msg } from '@nats-io/transport-node';
import { natsServers } from '@vigie/service-kit/bootstrap';
import type { Contract, Input, Output } from '@vigie/contracts/contract';
import type { SealedText } from '@vigie/contracts/text';
import { answerHeader, Bus, envelopeHeader, errorHeader, inputSealContext, subjectOf } from '@vigie/service-kit/bus';
import { Envelopes } from '@vigie/service-kit/envelope';
import type { KeyFile } from '@vigie/service-kit/keys';
import { makeLog } from '@vigie/service-kit/log';
import { seal } from '@vigie/vault/seal';
import { testServers } from './servers';

export type TestBus = Pick<Bus, 'call' | 'forward' | 'publish'> & {
  /** Seals a field of an input as it crosses the bus. */
  sealField: (contract: Contract, field: string, input: Record<string, unknown>) => Promise<SealedText>;
  /** Answers a contract as its owner, from the moment it resolves until stopped. */
  answer: <C extends Contract>(contract: C, output: (input: Input<C>) => Promise<Output<C>>) => Promise<() => void>;
  close: () => Promise<void>;
};

/** A message as any listener on the bus receives it. */
export type BusMessage = { subject: string; envelope: string; body: Uint8Array };

/** All readable text of a message, including its envelope. */
export const textOf = ({ subject, envelope, body }: BusMessage): string =>
  [subject, Buffer.from(envelope.split('.')[0] ?? '', 'base64url'), Buffer.from(body)].map(String).join('\n');

const connectNats = () => connect(natsServers(testServers().natsUrl));

/** Connects to the bus with the keys of one process. */
export async function connectBus(keys: KeyFile): Promise<TestBus> {
  const nats = await connectNats();
  const envelopes = new Envelopes(keys);
  const bus = new Bus(nats, envelopes, keys, makeLog('test', 'silent'));
  return {
    call: bus.call.bind(bus),
    forward: bus.forward.bind(bus),
    publish: bus.publish.bind(bus),
    sealField: (contract, field, input) => sealFor(keys, contract, field, input),
    answer: async (contract, output) => {
      const respond = async (message: Msg) => {
        const body = Buffer.from(JSON.stringify(await output(message.json())));
        const signed = headers();
        const envelope = message.headers?.get(envelopeHeader) ?? '';
        const { by: caller } = envelopes.verifyOnce(envelope, contract.name, message.data, contract.callers);
        signed.set(answerHeader, envelopes.signAnswer(envelope, '', body, caller));
        message.respond(body, { headers: signed });
      };
      const subscription = nats.subscribe(subjectOf(keys, contract), {
        callback: (_error, message) => void respond(message),
      });
      // Another connection's request must not be faster than this subscription.
      await nats.flush();
      return () => subscription.unsubscribe();
    },
    close: () => nats.drain(),
  };
}

async function sealFor({ readers }: KeyFile, contract: Contract, field: string, input: Record<string, unknown>) {
  const [reader] = contract.sealed ? readers[contract.sealed.reader] : [];
  if (!reader) throw new Error(`${contract.name} has no sealed field`);
  return seal(JSON.stringify(input[field]), reader, inputSealContext(contract, field, input));
}

/** Connects to the bus without keys, to send any bytes on any subject and to listen to everything. */
export async function connectWithoutKeys() {
  const nats = await connectNats();
  const request = (subject: string, body: Uint8Array, envelope = '') => {
    const requestHeaders = headers();
    requestHeaders.set(envelopeHeader, envelope);
    return nats.request(subject, body, { headers: requestHeaders, timeout: 5_000 });
  };
  return {
    ask: async (subject: string, body: Uint8Array, envelope?: string) =>
      (await request(subject, body, envelope)).headers?.get(errorHeader),
    /** The signature of the answer. */
    askForSignature: async (subject: string, body: Uint8Array, envelope?: string) =>
      (await request(subject, body, envelope)).headers?.get(answerHeader) ?? '',
    publish: async (subject: string, body: Uint8Array, envelope = '') => {
      const requestHeaders = headers();
      if (envelope !== '') requestHeaders.set(envelopeHeader, envelope);
      nats.publish(subject, body, { headers: requestHeaders });
      await nats.flush();
    },
    answer: async (subject: string, output: unknown) => {
      const body = JSON.stringify(output);
      nats.subscribe(subject, { callback: (_error, message) => void message.respond(body) });
      await nats.flush();
    },
    listen: async () => {
      const messages: BusMessage[] = [];
      const collect = (_error: Error | null, { subject, headers: requestHeaders, data }: Msg) => {
        messages.push({ subject, envelope: requestHeaders?.get(envelopeHeader) ?? '', body: Buffer.from(data) });
      };
      const subscription = nats.subscribe('>', { callback: collect });
      await nats.flush();
      return async () => {
        await subscription.drain();
        return messages;
      };
    },
    close: () => nats.close(),
  };
}
