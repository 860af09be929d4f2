import type { LoggerService } from '@nestjs/common';
import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { currentContext } from './context';
import { turnEnd } from './turn-end';

type Fields = Record<string, unknown>;

const secretFields = new Set([
  'password',
  'current_password',
  'new_password',
  'confirm_password',
  'passphrase',
  'access_token',
  'token',
  'authorization',
  'totp_code',
  'backup_code',
  'backup_codes',
  'secret',
  'privateKeyPem',
  'api_key',
  'sendgrid_api_key',
]);

const stdout = openStdout();

/** Without `child`, whose fields nothing would hide. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Writes JSON lines to stdout. Every line of a request has its id, no line has a secret field. */
export function makeLog(app: string, level: string, output = stdout): Log {
  const options = {
    level,
    base: { app, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: (fields: Fields) => hideSecrets(fields) },
    serializers: { err: (brief: unknown) => brief },
    mixin: () => {
      const requestId = currentContext()?.requestId;
      return requestId ? { requestId } : {};
    },
  };
  return pino(options, output);
}

/** Opens stdout, which gets the lines of one turn of the event loop in one write, and the last ones at the exit. */
function openStdout(): DestinationStream {
  const target = destination({ dest: 1, sync: true });
  let lines = '';
  const flushSync = () => {
    if (lines !== '') target.write(lines);
    lines = '';
  };
  process.on('exit', flushSync);
  const write = (line: string) => {
    if (lines === '') void turnEnd().then(flushSync);
    lines += line;
  };
  // The logger calls `flushSync` after a fatal line.
  return Object.assign({ write }, { flushSync });
}

/** Replaces the secret fields of what is logged, down to two levels below it. */
function hideSecrets(fields: Fields, levels = 2): Fields {
  let hidden: Fields | undefined;
  for (const [key, value] of Object.entries(fields)) {
    const shown = secretFields.has(key) ? '•' : hideIn(value, levels);
    if (shown !== value) (hidden ??= { ...fields })[key] = shown;
  }
  return hidden ?? fields;
}

function hideIn(value: unknown, levels: number): unknown {
  if (value instanceof Error) return briefError(value);
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  return hideSecrets(value as Fields, levels - 1);
}

/** An error may contain query parameters or a request, so only its type, message and stack are logged. */
function briefError(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const cause: unknown = error.cause === undefined ? undefined : briefError(error.cause);
  return { type: error.name, message: error.message, code, stack: error.stack, cause };
}

/** Writes Nest’s own lines to the same log, its start-up lines at debug level. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}
  log(message: unknown, scope?: string) {
    this.target.debug({ scope }, String(message));
  }
  warn(message: unknown, scope?: string) {
    this.target.warn({ scope }, String(message));
  }
  error(message: unknown, stack?: string, scope?: string) {
    this.target.error({ scope, stack }, String(message));
  }
  fatal(message: unknown, stack?: string, scope?: string) {
    this.target.fatal({ scope, stack }, String(message));
  }
}
