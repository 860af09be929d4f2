import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Contract, Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** Who may use a route, and how fresh what is known of the session must be. */
export const accessRules = {
  /** Anybody. */
  public: { needsSession: false },
  /** Anybody, and the answer may say more to somebody who is logged in. */
  guest: { needsSession: false },
  /** Whoever is logged in, even where the session may only set up its 2FA. */
  enrolling: { needsSession: true, forRestricted: true },
  user: { needsSession: true },
  /** As `user`, with the session asked for each time. */
  fresh: { needsSession: true, asksEachTime: true },
  /** A ticket says who it is, in a place where no bearer may be. */
  ticket: { needsSession: false },
  /** As `enrolling`, with the session asked for each time: five seconds after a revocation are too long here. */
  security: { needsSession: true, forRestricted: true, asksEachTime: true },
  admin: { needsSession: true, asksEachTime: true, adminsOnly: true },
} as const satisfies Record<string, AccessRule>;
export type Access = keyof typeof accessRules;

export type AccessRule = {
  needsSession: boolean;
  forRestricted?: boolean;
  asksEachTime?: boolean;
  adminsOnly?: boolean;
};

export const accessKey = 'vigie:access';
export const contractKey = 'vigie:contract';
export const answerKey = 'vigie:answer';
export const fileKey = 'vigie:file';

/** The policy of a route that calls no contract. */
export const Allows = (access: Access) => SetMetadata(accessKey, access);

/**
 * Maps a route to one call: its policy, the schema of its input, and its line in `/api/docs`; with the schema of its
 * answer where that is not the call's own.
 */
export const Calls = (contract: Contract, access: Access, answer: z.ZodType = contract.output) =>
  applyDecorators(Allows(access), SetMetadata(contractKey, contract), SetMetadata(answerKey, answer));

/** The body is a form of one file, which the route reads by itself as it comes. */
export const TakesFile = () => applyDecorators(RouteConfig({ takesFile: true }), SetMetadata(fileKey, true));

/**
 * The request as the route's contract wants it: the body, or the query of a request without one, and the path above
 * both; `known` is what the route itself says. A query is never read beside a body: what a body may carry, a password
 * too, must not be accepted in an address.
 */
export const FromRequest = createParamDecorator((known: object | undefined, context: ExecutionContext): unknown => {
  const contract: Contract = Reflect.getMetadata(contractKey, context.getHandler());
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return checkInput(contract, { ...inputOf(request), ...known }, asRecord(request.params));
});

/** For an answer that depends on how it is asked for, and says more than its body. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply };
export const Exchange = createParamDecorator((_: undefined, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});

export function checkInput<C extends Contract>(contract: C, value: unknown, path: object = {}): Input<C> {
  const input = contract.input.safeParse(value);
  if (input.success) return input.data as Input<C>;
  throw namesNothing(input.error, path) ? new AppError('not_found', noSuchId) : toAppError(input.error);
}

const noSuchId = 'Cet identifiant ne désigne rien.';

/** An id in the path that nothing can have is one that nothing has. */
const namesNothing = ({ issues }: z.ZodError, path: object): boolean =>
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
