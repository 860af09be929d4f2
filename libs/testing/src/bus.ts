import { connect } from '@nats-io/transport-node';
import { natsServers } from '@vigie/service-kit/bootstrap';
import { Bus } from '@vigie/service-kit/bus';
import { Envelopes } from '@vigie/service-kit/envelope';
import type { KeyFile } from '@vigie/service-kit/keys';
import { makeLog } from '@vigie/service-kit/log';
import { testServers } from './servers';

export type TestBus = Pick<Bus, 'call' | 'publish'> & { close: () => Promise<void> };

/** A seat on the bus with the keys of one process of a product. */
export async function connectBus(keys: KeyFile): Promise<TestBus> {
  const nats = await connect(natsServers(testServers().natsUrl));
  const bus = new Bus(nats, new Envelopes(keys), keys, makeLog('test', 'silent'));
  return { call: bus.call.bind(bus), publish: bus.publish.bind(bus), close: () => nats.close() };
}
