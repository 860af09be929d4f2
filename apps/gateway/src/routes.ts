import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Contract, Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import { type Access, hasBody } from '@vigie/contracts/routes';
import { currentContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** Whether a route needs a session, and whether the session is checked again each time. */
export const accessRules: Readonly<Record<Access, AccessRule>> = {
  public: { needsSession: false },
  guest: { needsSession: false },
  enrolling: { needsSession: true, forRestricted: true },
  user: { needsSession: true },
  bearer: { needsSession: true, forAnyToken: true },
  fresh: { needsSession: true, skipsCache: true },
  ticket: { needsSession: false },
  security: { needsSession: true, forRestricted: true, skipsCache: true },
  admin: { needsSession: true, skipsCache: true, adminsOnly: true },
};

export type AccessRule = {
  needsSession: boolean;
  forRestricted?: boolean;
  skipsCache?: boolean;
  adminsOnly?: boolean;
  /** The route tells nothing of anybody, or checks the scope of each contract that it calls. */
  forAnyToken?: boolean;
};

export const accessKey = 'vigie:access';
export const contractKey = 'vigie:contract';

/** The policy of a route that calls no contract. */
export const Allows = (access: Access) => SetMetadata(accessKey, access);

/** Serves the routes of a contract. */
export function Serves(contract: Contract): MethodDecorator {
  const { name, endpoints, access, takesFile, bodyLimit } = contract;
  const [first] = endpoints;
  if (!first || !access) throw new Error(`${name} has no route`);
  return applyDecorators(
    RequestMapping({ method: RequestMethod[first.method], path: endpoints.map(({ path }) => path) }),
    HttpCode(contract.status),
    Allows(access),
    SetMetadata(contractKey, contract),
    RouteConfig({ takesFile, bodyLimit }),
  );
}

/** The input of the contract of a route that a controller serves by hand. */
export const FromRequest = createParamDecorator((_: undefined, context: ExecutionContext): unknown => {
  const contract: Contract = Reflect.getMetadata(contractKey, context.getHandler());
  return readInput(contract, context.switchToHttp().getRequest<FastifyRequest>());
});

/** The body, or the query of a request without one, overridden by the path and by the fields that the route sets. */
export function readInput<C extends Contract>(contract: C, request: FastifyRequest): Input<C> {
  const fields = { ...fieldsOf(contract, request), ...fixedFieldsOf(contract, request) };
  return checkFields(contract, fields, asRecord(request.params));
}

/** Checks what the caller sent, from wherever it was read. */
export function checkFields<C extends Contract>(contract: C, fields: object, path: object = {}): Input<C> {
  const input = checkInput(contract, fields, path);
  if (currentContext()?.user?.token !== undefined) refuseSecrets(contract, Object(input));
  return input;
}

/**
 * A password or key is given by a person, also where a token may set the rest. So is the address of a login that exists:
 * the key of the host is pinned anew for another one.
 */
function refuseSecrets({ forwardsTo, sealed, endpoints }: Contract, input: Record<string, unknown>): void {
  const { fields = [], boundTo = [] } = forwardsTo?.sealed ?? sealed ?? {};
  // In an edit, null takes the password away.
  const isEdit = endpoints.some(({ method }) => method === 'PUT');
  const isSet = (field: string) => input[field] !== undefined && (isEdit || input[field] !== null);
  const bound = isEdit ? boundTo.filter((field) => field !== 'id') : [];
  if ([...fields, ...bound].some(isSet)) throw needsSession();
}

export const needsSession = () =>
  new AppError('forbidden', 'Cette action demande une session\u00a0: connectez-vous à Vigie.');

/** The fields that the route of the request sets. */
export const fixedFieldsOf = ({ endpoints }: Contract, { routeOptions }: FastifyRequest) =>
  endpoints.find(({ path }) => path === routeOptions.url)?.fixedFields;

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

/** A query is never read beside a body: a password must not be accepted in an address. */
function fieldsOf(contract: Contract, { method, body, query, params }: FastifyRequest): Record<string, unknown> {
  if (!hasBody(method, contract)) return { ...asRecord(query), ...asRecord(params) };
  if (body !== undefined && body !== null && !isRecord(body)) {
    throw new AppError('schema', 'Le corps de la requête doit être un objet JSON.');
  }
  return { ...body, ...asRecord(params) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asRecord = (value: unknown) => (isRecord(value) ? value : {});
