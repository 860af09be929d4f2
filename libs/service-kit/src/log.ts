import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import { currentContext } from './context';

const secretFields = [
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
];

export type Log = ReturnType<typeof makeLog>;

/** Writes JSON lines to stdout. Every line of a request has its id, no line has a secret field. */
export function makeLog(app: string, level: string) {
  return pino({
    level,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '•' },
    // An error may contain query parameters or a request, so only its type, message and stack are logged.
    serializers: { err: briefError },
    mixin: () => {
      const requestId = currentContext()?.requestId;
      return requestId ? { requestId } : {};
    },
  });
}

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
