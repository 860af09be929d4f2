import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processes } from '@vigie/service-kit/keys';
import { type Log, Refusal, fr } from '../terminal';
import type { Exit, Program, Running } from './child';
import { CommandError, runCommand } from './command';
import { type Settings, root } from './env';
import { keyFile } from './keys';
import { lastError, linesSince, logFile, plainText } from './logs';
import type { Servers } from './servers';
import type { Supervisor } from './supervisor';

export const services = processes;
export const databaseServices = ['auth-svc', 'sites-svc', 'dns-svc'] as const satisfies readonly Service[];
export type Service = (typeof processes)[number];

export type Surroundings = { settings: Settings; port: number; servers: Omit<Servers, 'stop'> };

type Watch = { log: Log; signal: AbortSignal };

/** sysexits' EX_CONFIG: starting it again would not help. */
const configurationRefused = 78;

/** Set here, so that nothing the operator's shell holds under these names reaches a service. */
const ours = [
  'DATABASE_URL',
  'REDIS_URL',
  'NATS_URL',
  'PORT',
  'HOST',
  'VIGIE_KEYS_FILE',
  'VIGIE_HOME',
  'VIGIE_WEB_ROOT',
  'VIGIE_PROBE_PORT',
  'VIGIE_BACKUP_PASSPHRASE',
  'VIGIE_METRICS_PORT',
];
const ofAuth = ['VIGIE_ADMIN_EMAIL', 'VIGIE_ADMIN_PASSWORD', 'VIGIE_SMTP_URL'];
/** The others have no business with people's files. */
const withStore: readonly Service[] = ['gateway', 'sites-svc', 'ssh-agent'];
const ofGateway = ['VIGIE_TRUSTED_HOPS'];

/** On one machine each process needs one of its own: the gateway has the one that was given, the others the next ones. */
export const metricsPorts = (first: number): Map<Service, number> =>
  new Map(services.map((service, place) => [service, first === 0 ? 0 : first + place]));

/** Of libuv: half of them may wait for name servers that do not answer. */
const nameThreads = '64';

/** What one service sees of its surroundings. */
export function serviceEnv(service: Service, { settings, port, servers }: Surroundings): NodeJS.ProcessEnv {
  const { home, host, given, metricsPort } = settings;
  const isForeign = withStore.includes(service) ? /^npm_/i : /^(npm_|AWS_)/i;
  const hidden = [...ours, ...(service === 'auth-svc' ? [] : ofAuth), ...(service === 'gateway' ? [] : ofGateway)];
  const isHidden = (name: string) =>
    hidden.includes(name.replace(/_FILE$/, '')) || hidden.includes(name) || isForeign.test(name);
  return {
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !isHidden(name))),
    // Node 22 and later keep compiled code there; earlier ones do not know the name.
    NODE_COMPILE_CACHE: given['NODE_COMPILE_CACHE'] ?? join(root, 'dist/compile-cache'),
    VIGIE_HOME: home,
    VIGIE_KEYS_FILE: keyFile(join(home, 'keys'), service),
    REDIS_URL: servers.redisUrl,
    NATS_URL: servers.natsUrl,
    HOST: host,
    ...(metricsPort !== undefined && { VIGIE_METRICS_PORT: `${metricsPorts(metricsPort).get(service)}` }),
    // The links of mails lead to where the product listens, unless the operator knows better.
    ...(service === 'auth-svc' && { VIGIE_PUBLIC_URL: given['VIGIE_PUBLIC_URL'] || `http://localhost:${port}` }),
    ...(hasDatabase(service) && { DATABASE_URL: withoutLogin(servers.databaseUrl) }),
    ...(withStore.includes(service) && {
      VIGIE_STORE: storeUrl(settings),
    }),
    ...(service === 'ssh-agent' && { UV_THREADPOOL_SIZE: given['UV_THREADPOOL_SIZE'] || nameThreads }),
    ...(service === 'gateway' && { PORT: `${port}`, VIGIE_WEB_ROOT: join(root, 'dist/web') }),
  };
}

export const storeUrl = ({ home, given }: Pick<Settings, 'home' | 'given'>): string =>
  given['VIGIE_STORE'] || pathToFileURL(join(home, 'store')).href;

/** A service logs in with its own role: the rights of the address are the migrate step's alone. */
export function withoutLogin(url: string): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  for (const name of ['user', 'password']) bare.searchParams.delete(name);
  return bare.href;
}

type More = (service: Service) => NodeJS.ProcessEnv;

/** Each in its own schema, so all at once; one that fails is told of when none is at work any more. */
export async function migrate(
  surroundings: Surroundings,
  which: readonly Service[] = services,
  more: More = () => ({}),
): Promise<void> {
  const { databaseUrl: DATABASE_URL } = surroundings.servers;
  const steps = which.filter(hasDatabase).map(async (service) => {
    const env = { ...serviceEnv(service, surroundings), DATABASE_URL, ...more(service) };
    const program = join(root, 'dist', service, 'migrate.js');
    await runCommand(process.execPath, ['--enable-source-maps', program], { cwd: root, env }).catch(
      (error: unknown) => {
        const said = error instanceof CommandError ? error.printed.trim() : String(error);
        throw new Refusal(fr`La mise à jour de la base pour ${service} a échoué :\n${said}`);
      },
    );
  });
  await Promise.allSettled(steps);
  await Promise.all(steps);
}

/** Starts every service and keeps it running; resolves when each has said once that it serves. */
export async function startServices(
  supervisor: Supervisor,
  surroundings: Surroundings,
  { log, signal }: Watch,
): Promise<void> {
  const { home } = surroundings.settings;
  await Promise.all(
    services.map(async (service) => {
      const program = programOf(service, surroundings);
      await new Promise<void>((resolve, reject) => {
        let isStarting = true;
        const onStart = ({ process: child }: Running) =>
          child.on('message', (message) => message === 'ready' && serve());
        const onExit = (life: Running, { code }: Exit) => {
          if (!isStarting || code !== configurationRefused) return false;
          reject(refusal(home, life));
          return true;
        };
        const serve = () => {
          isStarting = false;
          resolve();
        };
        signal.addEventListener('abort', () => reject(new Error('the start was cut short')), { once: true });
        supervisor.keep(program, { onStart, onExit });
      });
      log(fr`${service} est prêt.`);
    }),
  );
}

function programOf(service: Service, surroundings: Surroundings): Program {
  return {
    name: service,
    title: service,
    file: process.execPath,
    args: ['--enable-source-maps', join(root, 'dist', service, 'main.js')],
    cwd: root,
    env: serviceEnv(service, surroundings),
    hasChannel: true,
  };
}

function refusal(home: string, { program, logStart }: Running): Refusal {
  const lines = linesSince(logFile(home, program.name), logStart);
  return new Refusal(fr`${program.title} refuse de démarrer :\n${plainText(lines) || (lastError(lines) ?? '')}`);
}

const hasDatabase = (service: Service) => databaseServices.some((name) => name === service);
