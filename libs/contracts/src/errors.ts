/** The one table from error code to HTTP status. */
export const httpStatus = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  schema: 422,
  too_many: 429,
  internal: 500,
  remote_failed: 502,
  unavailable: 503,
  remote_too_slow: 504,
} as const;

export type ErrorCode = keyof typeof httpStatus;

/** A French sentence for the user, alone or with further fields such as the output of a remote command. */
export type ErrorDetail =
  | string
  | { message: string; stderr?: string; stdout?: string; code?: string; remedy?: string; [known: string]: unknown };

/** An error for the user, translated at the edges only: service to wire, wire to AppError, gateway to `{detail}`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, detail: ErrorDetail, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(typeof detail === 'string' ? detail : detail.message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
    this.retryAfter = options.retryAfter;
  }
}

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(httpStatus, value);
