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

/** JSON lines on stdout; every line of a request carries its id, no line carries a secret field. */
export function makeLog(app: string, level: string) {
  return pino({
    level,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '•' },
    // An error may carry what it was about: the parameters of a query, a request. Only what says where it broke is kept.
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

/** Nest's own lines in the same log; its start-up chatter only when asked for. */
export class NestLog implements LoggerService {
  constructor(private readonly to: Log) {}
  log(message: unknown, scope?: string) {
    this.to.debug({ scope }, String(message));
  }
  warn(message: unknown, scope?: string) {
    this.to.warn({ scope }, String(message));
  }
  error(message: unknown, stack?: string, scope?: string) {
    this.to.error({ scope, stack }, String(message));
  }
  fatal(message: unknown, stack?: string, scope?: string) {
    this.to.fatal({ scope, stack }, String(message));
  }
}
