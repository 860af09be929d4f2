import { answerSchema } from '@vigie/contracts/answers';
import type { Contract, Output } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import type { z } from 'zod';
import type { ApiError } from './api-error';
import type { Call, Meta } from './baseQuery';
import { failureReason } from './failures';

/** The input of a call. */
export type Fields<C extends Contract> = Readable<z.input<C['input']>>;
type Readable<T> = T extends readonly (infer E)[]
  ? readonly Readable<E>[]
  : T extends object
    ? { [K in keyof T]: Readable<T[K]> }
    : T;
/** No argument where a contract takes no field: an empty schema is a record without keys. */
type Arg<F> = string extends keyof F ? void : Partial<F> extends F ? F | void : F;

/** What the browser receives for a call: it does not wait for jobs. */
export type Received<C extends Contract> = C['answer'] extends 'ticket' | { job: z.ZodType }
  ? JobTicket
  : C['answer'] extends { custom: infer S extends z.ZodType }
    ? z.output<S>
    : C['answer'] extends 'items'
      ? ItemsOf<Output<C>>
      : Output<C>;
type ItemsOf<O> = O extends { items: infer Items } ? Items : never;

/** The gateway may ask the owner of a call several times before it answers. */
const marginMs = 25_000;
const maxTimeoutMs = 65_000;

/** Makes the HTTP request of a call: the path takes its fields, and the rest is the body, or the query without one. */
export function callOf<C extends Contract>(contract: C, fields: Fields<C>): Call {
  const rest: Record<string, unknown> = { ...(fields as object) };
  const endpoint = contract.endpoints.find(({ fixedFields }) =>
    Object.entries(fixedFields).every(([name, value]) => rest[name] === value),
  );
  if (!endpoint) throw new Error(`${contract.name} has no route for these fields`);
  for (const name of Object.keys(endpoint.fixedFields)) delete rest[name];
  const path = endpoint.path.slice('/api/'.length).replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    if (typeof value !== 'string') throw new Error(`${contract.name} needs ${name} in its path`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  // A form with a file leaves only the address for fields.
  const hasBody = !contract.takesFile && (endpoint.method === 'POST' || endpoint.method === 'PUT');
  const query = hasBody ? '' : queryText(rest);
  return {
    method: endpoint.method,
    path: `/${path}${query && `?${query}`}`,
    ...(hasBody && Object.keys(rest).length > 0 && { body: rest }),
    output: isJob(contract) ? JobTicket : answerSchema(contract),
    timeoutMs: Math.min(contract.timeoutMs + marginMs, maxTimeoutMs),
  };
}

/** As `callOf`, for a file: the server finds the other fields out as it reads it. */
export const fileCallOf = <C extends Contract>(
  contract: C,
  fields: Partial<Fields<C>>,
  idempotencyKey: string,
): Call => ({
  ...callOf(contract, fields as Fields<C>),
  idempotencyKey,
});

const isJob = ({ answer }: Contract) => answer === 'ticket' || (typeof answer === 'object' && 'job' in answer);

function queryText(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
}

/** An array with its counts in headers becomes an object again. */
const receive =
  <C extends Contract>({ answer }: C) =>
  (data: unknown, meta: Meta | undefined): Received<C> =>
    (answer === 'list' ? { total: (data as unknown[]).length, ...meta?.counts, items: data } : data) as Received<C>;

/**
 * What a person reads when the call fails and the server says nothing better. A function makes the whole sentence, or none
 * where the screen answers for itself.
 */
type Failed = string | ((error: ApiError) => string | undefined);

const fail =
  (failed?: Failed) =>
  (error: ApiError): ApiError => ({
    ...error,
    sentence: typeof failed === 'string' ? failureReason(error, failed) : failed?.(error),
  });

/** For an endpoint whose sentence depends on what was asked for. */
export const failedBy = <F>(say: (error: ApiError, fields: F) => string | undefined) => ({
  transformErrorResponse: (error: ApiError, _: unknown, fields: F): ApiError => ({
    ...error,
    sentence: say(error, fields),
  }),
});

/** The definition of a query, for `build.query`. */
export const queryOf = <C extends Contract>(contract: C, failed?: Failed) => ({
  query: (fields: Arg<Fields<C>>): Call => callOf(contract, (fields ?? {}) as Fields<C>),
  transformResponse: receive(contract),
  transformErrorResponse: fail(failed),
  providesTags: contract.reads,
});

/** The definition of a mutation, for `build.mutation`. A toast says why it failed. */
export const mutationOf = <C extends Contract>(contract: C, failed?: Failed) => {
  const { query, transformResponse, transformErrorResponse } = queryOf(contract, failed);
  return { query, transformResponse, transformErrorResponse, invalidatesTags: contract.changes };
};

/** As `mutationOf`, for a call that must not create twice what was asked for once. */
export const creationOf = <C extends Contract>(contract: C, failed?: Failed) => ({
  ...mutationOf(contract, failed),
  extraOptions: { isCreation: true as const },
});

/** For `invalidatesTags` of a mutation that changes nothing when it fails. */
export const changesOnSuccess =
  ({ changes }: Contract) =>
  (answer: object | undefined) =>
    answer ? changes : [];

type Cycle<T> = { queryFulfilled: PromiseLike<{ data: T }> };

/** For `onQueryStarted`: runs once the call has succeeded. */
export function onSuccess<T>({ queryFulfilled }: Cycle<T>, run: (data: T) => void): void {
  queryFulfilled.then(
    ({ data }) => run(data),
    () => undefined,
  );
}
