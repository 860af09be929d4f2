import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal, fr, reasonOf } from '../terminal';

/** The operator's own servers, used instead of private ones. */
export type Addresses = { DATABASE_URL?: string; REDIS_URL?: string; NATS_URL?: string };

export type Settings = {
  home: string;
  host: string;
  /** 0 picks any free port. */
  port: number;
  metricsPort: number | undefined;
  publicUrl: string | undefined;
  env: NodeJS.ProcessEnv;
  addresses: Addresses;
};

/** The folder of the checkout, whether this file is a source or bundled. */
export const root = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The operator's environment, for commands that need its proxies. Never pass it to processes that hold secrets. */
export const inherited = process.env;

export const searchPath = () => process.env['PATH'] ?? '';

/** npm passes signals on, but not its own death by SIGKILL. */
export const isUnderNpm = () => process.env['npm_lifecycle_event'] !== undefined;

export function readAddresses(env: NodeJS.ProcessEnv = process.env): Addresses {
  const names = ['DATABASE_URL', 'REDIS_URL', 'NATS_URL'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const address = fromFile(name, env[`${name}_FILE`]) || env[name];
      return address ? [[name, address]] : [];
    }),
  );
}

function fromFile(name: string, file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Refusal(fr`${name}_FILE=${file} ne se laisse pas lire : ${reasonOf(error)}`);
  }
}

export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  return {
    home: resolve(env['VIGIE_HOME'] || join(root, '.vigie')),
    host: env['HOST'] || '127.0.0.1',
    port: readPort('PORT', env['PORT'] || '8080'),
    metricsPort: env['VIGIE_METRICS_PORT'] ? readPort('VIGIE_METRICS_PORT', env['VIGIE_METRICS_PORT']) : undefined,
    publicUrl: env['VIGIE_PUBLIC_URL'] || undefined,
    env,
    addresses: readAddresses(env),
  };
}

function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Refusal(
    fr`${name}=${text} n’est pas un port : donnez un nombre de 1 à 65535, par exemple ${name}=8090 npm start.`,
  );
}

function findRoot(folder: string): string {
  return existsSync(join(folder, 'nx.json')) ? folder : findRoot(dirname(folder));
}
