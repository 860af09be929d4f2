import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** EX_CONFIG of sysexits tells a supervisor that restarting the process will not help. */
const configErrorCode = 78;

/** Prints the reasons on stderr, for the deployer, and exits. */
export function refuseToStart(reasons: readonly string[]): never {
  process.stderr.write(`${reasons.join('\n')}\n`);
  process.exit(configErrorCode);
}

/** Reads the environment, or the file that a `NAME_FILE` variable names; prints every bad name and exits. */
export function loadEnv<S extends z.ZodObject>(schema: S): z.output<S> {
  const read = readEnv(schema, process.env);
  if ('refused' in read) refuseToStart(read.refused);
  return read.env;
}

export function readEnv<S extends z.ZodObject>(
  schema: S,
  source: Record<string, string | undefined>,
): { env: z.output<S> } | { refused: string[] } {
  const values: Record<string, string | undefined> = {};
  const missingFiles: string[] = [];
  for (const name of Object.keys(schema.shape)) {
    const file = source[`${name}_FILE`];
    if (file && !existsSync(file)) missingFiles.push(`${name}_FILE: no file at ${file}`);
    // An empty variable counts as unset: compose files and shells write both to mean the same.
    values[name] = (file && existsSync(file) ? readFileSync(file, 'utf8').trim() : source[name]) || undefined;
  }
  if (missingFiles.length > 0) return { refused: missingFiles };
  const parsed = schema.safeParse(values);
  if (parsed.success) return { env: parsed.data };
  // Values stay out of the message, because some are secret.
  return { refused: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
}

const address = (...schemes: string[]) =>
  z.string('is required').refine((value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)), {
    message: `must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const port = z.coerce.number().int().min(0).max(65_535);

export const baseEnv = {
  VIGIE_KEYS_FILE: z.string('is required: `npm run keys` makes one file a process'),
  NATS_URL: address('nats', 'tls'),
  /** Port of the health probes for a supervisor; closed unless it is set. */
  VIGIE_PROBE_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Time for running work to end after a stop; `npm start` waits no longer than the default. */
  VIGIE_STOP_SECONDS: z.coerce.number().int().min(1).max(3_600).default(6),
  VIGIE_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Address to listen at; processes other than the gateway listen for Prometheus only. */
  HOST: z.string().default('127.0.0.1'),
  VIGIE_METRICS_PORT: port.optional(),
  /** Base address of a trace collector; spans go to `/v1/traces` below it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/^[^:]+:\/\/[^/]*@/.test(url), 'holds no login: that belongs into OTEL_EXPORTER_OTLP_HEADERS')
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine(isPercentEncoded, 'must be name=value, … with each value percent-encoded: % itself is %25')
    .default(''),
};

export const redisEnv = { REDIS_URL: address('redis', 'rediss') };

export const databaseEnv = { DATABASE_URL: address('postgres', 'postgresql') };
