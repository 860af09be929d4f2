import type { z } from 'zod';
import { answerSchema } from './answers';
import type { Contract, Output } from './contract';
import { JobTicket } from './jobs';
import { hasBody } from './routes';

/** The HTTP request of a call, as the web app and the command line send it. */
export type CallRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`. */
  path: `/${string}`;
  body?: unknown;
  /** The shape of the answer. */
  output: z.ZodType;
  timeoutMs: number;
};

/** The input of a call. */
export type Fields<C extends Contract> = Readable<z.input<C['input']>>;
type Readable<T> = T extends readonly (infer E)[]
  ? readonly Readable<E>[]
  : T extends object
    ? { [K in keyof T]: Readable<T[K]> }
    : T;

/** What a client receives for a call that does not wait for jobs. */
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
export function callOf<C extends Contract>(contract: C, fields: Fields<C>): CallRequest {
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
  const isInBody = !contract.takesFile && hasBody(endpoint.method, contract);
  const query = isInBody ? '' : queryText(rest);
  return {
    method: endpoint.method,
    path: `/${path}${query && `?${query}`}`,
    ...(isInBody && Object.keys(rest).length > 0 && { body: rest }),
    output: startsJob(contract) ? JobTicket : answerSchema(contract),
    timeoutMs: Math.min(contract.timeoutMs + marginMs, maxTimeoutMs),
  };
}

/** Whether a client that does not wait is answered with the ticket of a job. */
export const startsJob = ({ answer }: Contract): boolean =>
  answer === 'ticket' || (typeof answer === 'object' && 'job' in answer);

function queryText(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

/** An array with its counts in headers becomes an object again. */
export const receivedOf = <C extends Contract>(
  { answer }: C,
  data: unknown,
  counts: Readonly<Record<string, number>> | undefined,
): Received<C> =>
  (answer === 'list' ? { total: (data as unknown[]).length, ...counts, items: data } : data) as Received<C>;
