import { Refusal, fr } from '../terminal';
import type { Settings } from './env';
import { freePort, listenError } from './ports';
import { metricsPorts } from './services';

/** Returns the port for the gateway; refuses one that the gateway cannot listen on. */
export async function choosePort({ host, port, metricsPort }: Settings): Promise<number> {
  if (metricsPort) await checkMetricsPorts(metricsPort, { host, port });
  if (port === 0) return freePort();
  await checkPort('PORT', port, host);
  return port;
}

/** A process of Vigie that cannot listen on its metrics port does not start. */
async function checkMetricsPorts(first: number, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  const ports = [...metricsPorts(first).values()];
  const last = Math.max(...ports);
  if (last > 65_535 || ports.includes(port)) {
    throw new Refusal(
      fr`VIGIE_METRICS_PORT=${first} ne convient pas : les processus de Vigie prennent les ports ${first} à ${last}, qui doivent exister et ne pas contenir PORT. Choisissez par exemple VIGIE_METRICS_PORT=9464 npm start.`,
    );
  }
  for (const each of ports) await checkPort('VIGIE_METRICS_PORT', each, host);
}

async function checkPort(name: string, port: number, host: string): Promise<void> {
  const code = await listenError(port, host);
  if (code === undefined) return;
  const other = port < 65_535 ? port + 1 : 8090;
  if (code === 'EADDRINUSE') {
    throw new Refusal(
      fr`Le port ${port} de ${host} est pris par un autre programme : arrêtez-le, ou choisissez-en un autre, par exemple ${name}=${other} npm start.`,
    );
  }
  if (code === 'EACCES') {
    throw new Refusal(
      fr`Le port ${port} est réservé à root : choisissez-en un au-dessus de 1023, par exemple ${name}=8080 npm start.`,
    );
  }
  throw new Refusal(fr`HOST=${host} n’est pas une adresse de cette machine (${code}).`);
}

/** The address for a browser on this machine. */
export function addressOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
