import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Contract, Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** Who may use a route, and whether the session is checked again each time. */
export const accessRules = {
  /** Anybody. */
  public: { needsSession: false },
  /** Anybody; the answer may hold more for a logged-in user. */
  guest: { needsSession: false },
  /** A logged-in user, even if the session may only set up its 2FA. */
  enrolling: { needsSession: true, forRestricted: true },
  user: { needsSession: true },
  /** As `user`, with the session checked each time. */
  fresh: { needsSession: true, skipsCache: true },
  /** A ticket in the address identifies the user, where no bearer can be sent. */
  ticket: { needsSession: false },
  /** As `enrolling`, with the session checked each time: five seconds after a revocation are too long here. */
  security: { needsSession: true, forRestricted: true, skipsCache: true },
  admin: { needsSession: true, skipsCache: true, adminsOnly: true },
} as const satisfies Record<string, AccessRule>;
export type Access = keyof typeof accessRules;

export type AccessRule = {
  needsSession: boolean;
  forRestricted?: boolean;
  skipsCache?: boolean;
  adminsOnly?: boolean;
};

export const accessKey = 'vigie:access';
export const contractKey = 'vigie:contract';
export const answerKey = 'vigie:answer';
export const fileKey = 'vigie:file';

/** The policy of a route that calls no contract. */
export const Allows = (access: Access) => SetMetadata(accessKey, access);

/**
 * Maps a route to one call: its access policy, the schema of its input, its line in `/api/docs`, and the schema of its
 * answer if that differs from the output of the call.
 */
export const Calls = (contract: Contract, access: Access, answer: z.ZodType = contract.output) =>
  applyDecorators(Allows(access), SetMetadata(contractKey, contract), SetMetadata(answerKey, answer));

/** The body is a form with one file, which the route streams itself. */
export const TakesFile = () => applyDecorators(RouteConfig({ takesFile: true }), SetMetadata(fileKey, true));

/**
 * The input of the route's contract: the body, or the query of a request without one, overridden by the path.
 * `fixedFields` are set by the route itself. A query is never read beside a body: a password must not be accepted in an
 * address.
 */
export const FromRequest = createParamDecorator(
  (fixedFields: object | undefined, context: ExecutionContext): unknown => {
    const contract: Contract = Reflect.getMetadata(contractKey, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return checkInput(contract, { ...inputOf(request), ...fixedFields }, asRecord(request.params));
  },
);

/** For a route that reads or writes headers. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply };
export const Exchange = createParamDecorator((_: undefined, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});

export function checkInput<C extends Contract>(contract: C, value: unknown, path: object = {}): Input<C> {
  const input = contract.input.safeParse(value);
  if (input.success) return input.data as Input<C>;
  throw isUnknownId(input.error, path) ? new AppError('not_found', unknownId) : toAppError(input.error);
}

const unknownId = 'Cet identifiant ne désigne rien.';

/** A malformed id in the path is answered like an unknown one. */
const isUnknownId = ({ issues }: z.ZodError, path: object): boolean =>
  issues.some(
    ({ code, path: [field, ...deeper] }) =>
      code === 'invalid_format' &&
      deeper.length === 0 &&
      /id$/i.test(String(field)) &&
      Object.hasOwn(path, field ?? ''),
  );

function inputOf({ method, body, query, params }: FastifyRequest): Record<string, unknown> {
  if (['GET', 'HEAD', 'DELETE'].includes(method)) return { ...asRecord(query), ...asRecord(params) };
  if (body !== undefined && body !== null && !isRecord(body)) {
    throw new AppError('schema', 'Le corps de la requête doit être un objet JSON.');
  }
  return { ...body, ...asRecord(params) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asRecord = (value: unknown) => (isRecord(value) ? value : {});
