import { callOf, type Fields, type Received, receivedOf } from '@vigie/contracts/calls';
import type { Contract } from '@vigie/contracts/contract';
import type { ApiError } from './api-error';
import type { Call, Meta } from './baseQuery';
import { failureReason } from './failures';

/** No argument where a contract takes no field: an empty schema is a record without keys. */
type Arg<F> = string extends keyof F ? void : Partial<F> extends F ? F | void : F;

/** As `callOf`, for a file: the server finds the other fields out as it reads it. */
export const fileCallOf = <C extends Contract>(
  contract: C,
  fields: Partial<Fields<C>>,
  idempotencyKey: string,
): Call => ({
  ...callOf(contract, fields as Fields<C>),
  idempotencyKey,
});

const receive =
  <C extends Contract>(contract: C) =>
  (data: unknown, meta: Meta | undefined): Received<C> =>
    receivedOf(contract, data, meta?.counts);

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
