import type { z } from 'zod';
import type { GrantRole } from './grant-roles';
import { type Answer, defaultStatus, type Endpoint, endpointsOf, type Route, type RouteOptions } from './routes';
import type { TokenScope } from './token-scopes';

export const owners = { auth: 'auth-svc', sites: 'sites-svc', agent: 'ssh-agent', dns: 'dns-svc' } as const;
export type Owner = keyof typeof owners;
/** A process of the product, as named in the signed envelope of a message. */
export type Caller = 'gateway' | (typeof owners)[Owner];

export type Contract<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Answer = Answer,
> = Omit<Route<A>, 'http' | 'access'> & {
  readonly kind: 'call';
  /** `<owner>.<feature>.<verb>`, which is also the subject on the bus. */
  readonly name: string;
  readonly input: I;
  readonly output: O;
  /** The input as its owner receives it, with the fields for another process still sealed. */
  readonly received: R;
  readonly callers: readonly Caller[];
  /**
   * Top-level fields that cross the bus sealed, and the only process that can open them. A seal opens only next to the
   * same values of the fields that it is bound to.
   */
  readonly sealed: Seal | undefined;
  /** Another owner's call, to which this owner forwards the sealed secrets of its input unopened. */
  readonly forwardsTo: Contract | undefined;
  /** Top-level fields of the answer that cross the bus sealed for the caller. */
  readonly sealedAnswer: readonly string[];
  readonly timeoutMs: number;
  /** The least role with which the call reaches a shared site or group; without one it reaches only what the caller owns. */
  readonly grantRole: GrantRole | undefined;
  /** What a token must be allowed to make the call; without one it needs a person's session. */
  readonly scope: TokenScope | undefined;
  /** None for a call between services. */
  readonly endpoints: readonly Endpoint[];
  readonly access: Route['access'] | undefined;
};

type Seal = {
  readonly reader: Caller;
  readonly fields: readonly string[];
  readonly boundTo?: readonly string[];
};

export type Input<C extends Contract> = z.output<C['input']>;
export type ReceivedInput<C extends Contract> = z.output<C['received']>;
export type Output<C extends Contract> = z.output<C['output']>;

type Ticket = { job_id: string };
type PageRequest = { offset: number; limit?: number | undefined };
type ListOf<F extends string> = { total: number } & { [field in F]: unknown[] };
/** The answers that a route can make from these fields. */
type AnswerFrom<I, O> =
  | 'output'
  | 'custom'
  | { readonly custom: z.ZodType }
  | (O extends { items: unknown[] } ? 'items' : never)
  | (O extends Ticket ? 'ticket' | { readonly job: z.ZodType } : never)
  | (I extends PageRequest ? PagedAnswerFrom<O> : never);
type PagedAnswerFrom<O> =
  | (O extends ListOf<'items'> ? 'list' : never)
  | { [F in keyof O & string]: O extends ListOf<F> ? { readonly pages: F } : never }[keyof O & string];

type Shape<I extends z.ZodType, O extends z.ZodType, A extends Answer> = Pick<Contract<I, O>, 'input' | 'output'> &
  Partial<Pick<Contract, 'sealed' | 'sealedAnswer' | 'timeoutMs' | 'grantRole' | 'scope'>> &
  // The gateway alone makes the calls that have a route, unless others are named beside it.
  (
    | (RouteOptions<A> & { callers?: Contract['callers'] })
    | (Pick<Contract, 'callers'> & { http?: undefined; answer?: undefined })
  );

export function contract<
  I extends z.ZodType,
  O extends z.ZodType,
  const A extends AnswerFrom<z.output<I>, z.output<O>> = 'output',
>(name: `${Owner}.${string}.${string}`, shape: Shape<I, O, A>): Contract<I, O, I, A> {
  return make(name, { ...shape, received: shape.input, forwardsTo: undefined });
}

/** A contract whose owner cannot read the secrets of its input. */
export function forwarding<
  I extends z.ZodType,
  O extends z.ZodType,
  R extends z.ZodType,
  const A extends AnswerFrom<z.output<I>, z.output<O>> = 'output',
>(
  name: `${Owner}.${string}.${string}`,
  shape: Shape<I, O, A> & { received: R; forwardsTo: Contract },
): Contract<I, O, R, A> {
  return make(name, shape);
}

function make<I extends z.ZodType, O extends z.ZodType, R extends z.ZodType, A extends Answer>(
  name: string,
  shape: Shape<I, O, A> & { received: R; forwardsTo: Contract | undefined },
): Contract<I, O, R, A> {
  const { http, ...options } = shape;
  const endpoints = endpointsOf(http);
  const status = defaultStatus(endpoints, shape.answer);
  return { ...defaults, kind: 'call', name, endpoints, status, answer: 'output' as A, ...options };
}

const defaults = {
  callers: ['gateway'] as Caller[],
  sealed: undefined,
  sealedAnswer: [],
  timeoutMs: 5_000,
  grantRole: undefined,
  scope: undefined,
  access: undefined,
  bodyLimit: undefined,
  takesFile: false,
  reads: [],
  changes: [],
};

/** An event is a hint that may be lost; data that must arrive goes by a call or the outbox. */
export type Event<P extends z.ZodType = z.ZodType> = {
  readonly kind: 'event';
  /** `<owner>.<feature>.<past>`. */
  readonly name: string;
  readonly payload: P;
  readonly publisher: Caller;
};

export function event<P extends z.ZodType>(
  name: `${Owner}.${string}.${string}`,
  shape: Pick<Event<P>, 'payload' | 'publisher'>,
): Event<P> {
  return { kind: 'event', name, ...shape };
}

/** Returns the process that answers a call, from the first word of its name. */
export function ownerOf(name: string): Caller {
  const entry = Object.entries(owners).find(([owner]) => name.startsWith(`${owner}.`));
  if (!entry) throw new Error(`${name} has no owner`);
  return entry[1];
}
