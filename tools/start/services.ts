import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processes } from '@vigie/service-kit/keys';
import { type Log, Refusal, fr } from '../terminal';
import type { Exit, Program, RunningProcess } from './child';
import { CommandError, runCommand } from './command';
import { type Settings, root } from './env';
import { keyFile } from './keys';
import { lastError, linesSince, logFile, plainText } from './logs';
import type { Servers } from './servers';
import type { Supervisor } from './supervisor';

export const services = processes;
export const databaseServices = ['auth-svc', 'sites-svc', 'dns-svc'] as const satisfies readonly Service[];
export type Service = (typeof processes)[number];

export type ServiceContext = { settings: Settings; port: number; servers: Omit<Servers, 'stop'> };

type StartOptions = { log: Log; signal: AbortSignal };

/** EX_CONFIG of sysexits: a restart would not help. */
const configurationRefused = 78;

/** Variables that are set here, so that services never get the values of the operator's shell. */
const ownVariables = [
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
const authVariables = ['VIGIE_ADMIN_EMAIL', 'VIGIE_ADMIN_PASSWORD', 'VIGIE_SMTP_URL'];
/** The services that may access the store. */
const withStore: readonly Service[] = ['gateway', 'sites-svc', 'ssh-agent'];
/** The services that write messages with links. */
const withLinks: readonly Service[] = ['auth-svc', 'sites-svc'];
const gatewayVariables = ['VIGIE_TRUSTED_HOPS'];

/** Each process on a machine needs its own metrics port: the gateway has the first, the others the next ones. */
export const metricsPorts = (first: number): Map<Service, number> =>
  new Map(services.map((service, storage) => [service, first === 0 ? 0 : first + storage]));

/** Half of libuv's threads may be waiting for name servers that do not answer. */
const dnsThreads = '64';

/**
 * The allocator of glibc keeps what each thread has freed in a pool of that thread, and more and more of what the process
 * has freed. Two pools, and its own first limit for good, save a service some megabytes; other systems ignore both.
 */
export const allocatorEnv = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

export function serviceEnv(service: Service, { settings, port, servers }: ServiceContext): NodeJS.ProcessEnv {
  const { home, host, env, metricsPort } = settings;
  const foreignPattern = withStore.includes(service) ? /^npm_/i : /^(npm_|AWS_)/i;
  const hidden = [
    ...ownVariables,
    ...(service === 'auth-svc' ? [] : authVariables),
    ...(service === 'gateway' ? [] : gatewayVariables),
  ];
  const isHidden = (name: string) =>
    hidden.includes(name.replace(/_FILE$/, '')) || hidden.includes(name) || foreignPattern.test(name);
  return {
    ...allocatorEnv,
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !isHidden(name))),
    // Node 22 and later cache compiled code there; earlier versions ignore this variable.
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(root, 'dist/compile-cache'),
    VIGIE_HOME: home,
    VIGIE_KEYS_FILE: keyFile(join(home, 'keys'), service),
    REDIS_URL: servers.redisUrl,
    NATS_URL: servers.natsUrl,
    HOST: host,
    ...(metricsPort !== undefined && { VIGIE_METRICS_PORT: `${metricsPorts(metricsPort).get(service)}` }),
    // Links in messages use the product's own address, unless the operator sets a public one.
    ...(withLinks.includes(service) && { VIGIE_PUBLIC_URL: env['VIGIE_PUBLIC_URL'] || `http://localhost:${port}` }),
    ...(hasDatabase(service) && { DATABASE_URL: withoutLogin(servers.databaseUrl) }),
    ...(withStore.includes(service) && {
      VIGIE_STORE: storeUrl(settings),
    }),
    ...(service === 'ssh-agent' && { UV_THREADPOOL_SIZE: env['UV_THREADPOOL_SIZE'] || dnsThreads }),
    ...(service === 'gateway' && { PORT: `${port}`, VIGIE_WEB_ROOT: join(root, 'dist/web') }),
  };
}

export const storeUrl = ({ home, env }: Pick<Settings, 'home' | 'env'>): string =>
  env['VIGIE_STORE'] || pathToFileURL(join(home, 'store')).href;

/** Removes the login of the owner from an address: only migrate steps use it, services have their own roles. */
export function withoutLogin(url: string): string {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  for (const name of ['user', 'password']) address.searchParams.delete(name);
  return address.href;
}

type ExtraEnv = (service: Service) => NodeJS.ProcessEnv;

/** Runs the migrate steps in parallel, as each has its own schema; rejects once all have ended. */
export async function migrate(
  context: ServiceContext,
  selected: readonly Service[] = services,
  extraEnv: ExtraEnv = () => ({}),
): Promise<void> {
  const { databaseUrl: DATABASE_URL } = context.servers;
  const steps = selected.filter(hasDatabase).map(async (service) => {
    const env = { ...serviceEnv(service, context), DATABASE_URL, ...extraEnv(service) };
    const program = join(root, 'dist', service, 'migrate.js');
    await runCommand(process.execPath, ['--enable-source-maps', program], { cwd: root, env }).catch(
      (error: unknown) => {
        const output = error instanceof CommandError ? error.printed.trim() : String(error);
        throw new Refusal(fr`La mise à jour de la base pour ${service} a échoué :\n${output}`);
      },
    );
  });
  await Promise.allSettled(steps);
  await Promise.all(steps);
}

/** Starts every service and keeps it running; resolves once all of them are ready. */
export async function startServices(
  supervisor: Supervisor,
  context: ServiceContext,
  { log, signal }: StartOptions,
): Promise<void> {
  const { home } = context.settings;
  await Promise.all(
    services.map(async (service) => {
      const program = createProgram(service, context);
      await new Promise<void>((resolve, reject) => {
        let isStarting = true;
        const onStart = ({ process: child }: RunningProcess) =>
          child.on('message', (message) => message === 'ready' && onReady());
        const onExit = (life: RunningProcess, { code }: Exit) => {
          if (!isStarting || code !== configurationRefused) return false;
          reject(refusal(home, life));
          return true;
        };
        const onReady = () => {
          isStarting = false;
          resolve();
        };
        signal.addEventListener('abort', () => reject(new Error('the start was interrupted')), { once: true });
        supervisor.keep(program, { onStart, onExit });
      });
      log(fr`${service} est prêt.`);
    }),
  );
}

function createProgram(service: Service, context: ServiceContext): Program {
  return {
    name: service,
    title: service,
    file: process.execPath,
    args: ['--enable-source-maps', join(root, 'dist', service, 'main.js')],
    cwd: root,
    env: serviceEnv(service, context),
    hasChannel: true,
  };
}

function refusal(home: string, { program, logStart }: RunningProcess): Refusal {
  const lines = linesSince(logFile(home, program.name), logStart);
  return new Refusal(fr`${program.title} refuse de démarrer :\n${plainText(lines) || (lastError(lines) ?? '')}`);
}

const hasDatabase = (service: Service) => databaseServices.some((name) => name === service);
