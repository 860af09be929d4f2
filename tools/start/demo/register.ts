import type { CreateServer, Server } from '@vigie/contracts/servers';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { type Log, fr } from '../console';
import type { Api } from './api';
import { servers } from './servers';

/** Registers what is not registered yet. */
export async function register(api: Api, fleets: readonly Fleet[], log: Log): Promise<void> {
  const known = await api.get<Server[]>('/api/servers');
  for (const [index, fleet] of fleets.entries()) {
    const { name = `démo-${index + 1}`, provider } = servers[index] ?? {};
    if (known.some(({ host, port }) => host === '127.0.0.1' && port === fleet.host.port)) continue;
    const form: CreateServer = {
      name,
      host: '127.0.0.1',
      port: fleet.host.port,
      user: 'deploy',
      provider,
      type: 'dev',
      auth: { privateKeyPem: fleet.host.privateKey },
    };
    await api.post('/api/servers', form);
  }
  log(fr`La flotte de démonstration est enregistrée.`);
}
