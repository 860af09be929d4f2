import type { Access } from '@vigie/contracts/routes';
import { type Pair, SchemaComparison } from './breaking-schemas';
import type { Document, Operation, Parameter, Response } from './document-types';

/** The higher, the fewer may use the route. A ticket is another way in, so that any change to or from it is a break. */
const strictness: Readonly<Record<Exclude<Access, 'ticket'>, number>> = {
  public: 0,
  guest: 0,
  bearer: 1,
  enrolling: 2,
  security: 2,
  user: 3,
  fresh: 3,
  admin: 4,
};
/** Without a role a route reaches only what the caller owns. */
const roles = ['viewer', 'operator', 'manager', undefined];

/** Names everything in which a document breaks the callers of an earlier one. */
export function breakingChanges(before: Document, after: Document): string[] {
  const breaks = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const now = after.paths[path]?.[method];
      const where = `${method.toUpperCase()} ${path}`;
      return now
        ? operationBreaks({ before, after }, old, now).map((each) => `${where}: ${each}`)
        : [`${where} was removed`];
    }),
  );
  return [...new Set(breaks)];
}

const operationBreaks = (documents: Pair, old: Operation, now: Operation): string[] => [
  ...accessBreaks(old, now),
  ...parameterBreaks(documents, old.parameters, now.parameters),
  ...bodyBreaks(documents, old, now),
  ...answerBreaks(documents, old, now),
];

/** Callers keep their credentials: none of them may stop being enough. */
function accessBreaks(old: Operation, now: Operation): string[] {
  const [oldAccess, nowAccess] = [old['x-access'], now['x-access']];
  const isStricter =
    oldAccess === 'ticket' || nowAccess === 'ticket'
      ? oldAccess !== nowAccess
      : strictness[nowAccess] > strictness[oldAccess];
  const [oldScope, nowScope] = [old['x-scope'], now['x-scope']];
  const hasOtherScope = oldScope !== undefined && oldScope !== nowScope;
  const needsRole = roles.indexOf(now['x-grant-role']) > roles.indexOf(old['x-grant-role']);
  return [
    ...(isStricter ? [`the access was ${oldAccess}, and is ${nowAccess} now`] : []),
    ...(hasOtherScope ? [`tokens needed the scope ${oldScope}, and need ${nowScope ?? 'a session'} now`] : []),
    ...(needsRole ? [`a grant needs more than the role ${old['x-grant-role']} now`] : []),
  ];
}

function parameterBreaks(documents: Pair, old: Parameter[], now: Parameter[]): string[] {
  const same = (one: Parameter) => (other: Parameter) => one.name === other.name && one.in === other.in;
  const kept = old.flatMap((parameter) => {
    const where = `the ${parameter.in} parameter ${parameter.name}`;
    const other = now.find(same(parameter));
    // Nothing says no to a parameter that is gone: the answer would silently be another one.
    if (!other) return [`${where} was removed`];
    return [
      ...(other.required && !parameter.required ? [`${where} is required now`] : []),
      ...new SchemaComparison(documents, 'request').breaks(parameter.schema, other.schema, where),
    ];
  });
  const added = now.filter((parameter) => parameter.required && !old.some(same(parameter)));
  return [...kept, ...added.map(({ name, in: place }) => `the ${place} parameter ${name} is new and required`)];
}

function bodyBreaks(documents: Pair, { requestBody: old }: Operation, { requestBody: now }: Operation): string[] {
  const isRequired = now?.required && !old?.required ? ['a body is required now'] : [];
  if (!old) return isRequired;
  const types = Object.entries(old.content).flatMap(([type, { schema }]) => {
    const other = now?.content[type];
    if (!other) return [`a body of ${type} is no longer taken`];
    return new SchemaComparison(documents, 'request').breaks(schema, other.schema, 'the body');
  });
  return [...isRequired, ...types];
}

const isSuccess = ([status]: [string, Response]) => /^[123]/.test(status);

/** Programs branch on the statuses and types of successes. Errors may be more: callers treat any 4xx and 5xx as one. */
function answerBreaks(documents: Pair, old: Operation, now: Operation): string[] {
  return Object.entries(old.responses)
    .filter(isSuccess)
    .flatMap(([status, answer]) => {
      const other = now.responses[status];
      if (!other) return [`the success ${status} is gone`];
      const headers = Object.keys(answer.headers ?? {}).filter((name) => !other.headers?.[name]);
      const types = Object.entries(answer.content ?? {}).flatMap(([type, { schema }]) => {
        const media = other.content?.[type];
        if (!media) return [`the answer ${status} is no longer sent as ${type}`];
        return new SchemaComparison(documents, 'answer').breaks(schema, media.schema, `the answer ${status}`);
      });
      return [...headers.map((name) => `the answer ${status} has no header ${name} now`), ...types];
    });
}
