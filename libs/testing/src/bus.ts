import { connect, headers } from '@nats-io/transport-node';
import { natsServers } from '@vigie/service-kit/bootstrap';
import { Bus, envelopeHeader, errorHeader } from '@vigie/service-kit/bus';
import { Envelopes } from '@vigie/service-kit/envelope';
import type { KeyFile } from '@vigie/service-kit/keys';
import { makeLog } from '@vigie/service-kit/log';
import { testServers } from './servers';

export type TestBus = Pick<Bus, 'call' | 'publish'> & { close: () => Promise<void> };

const connectNats = () => connect(natsServers(testServers().natsUrl));

/** A seat on the bus with the keys of one process of a product. */
export async function connectBus(keys: KeyFile): Promise<TestBus> {
  const nats = await connectNats();
  const bus = new Bus(nats, new Envelopes(keys), keys, makeLog('test', 'silent'));
  return { call: bus.call.bind(bus), publish: bus.publish.bind(bus), close: () => nats.drain() };
}

/** The bus as somebody without keys reaches it: any bytes on any subject, and an ear for everything. */
export async function intrude() {
  const nats = await connectNats();
  return {
    /** The error code of the answer. */
    ask: async (subject: string, body: Uint8Array, envelope = '') => {
      const sent = headers();
      sent.set(envelopeHeader, envelope);
      const answer = await nats.request(subject, body, { headers: sent, timeout: 5_000 });
      return answer.headers?.get(errorHeader);
    },
    listen: async () => {
      const heard: string[] = [];
      const ear = nats.subscribe('>', { callback: (_error, message) => void heard.push(message.string()) });
      await nats.flush();
      return async () => {
        await ear.drain();
        return heard.join('\n');
      };
    },
    close: () => nats.close(),
  };
}
