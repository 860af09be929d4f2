import { expect, it } from 'vitest';
import type { z } from 'zod';
import { allContracts } from '@vigie/contracts/all';
import { tags } from './descriptions/all';
import { buildDocument } from './document';
import type { Operation } from './document-types';
import { resultSchema, routed } from './endpoints';
import { fields } from './fields/all';
import { Glossary } from './glossary';
import { operationIdOf } from './operations';
import { refsIn } from './schemas';

const glossary = new Glossary(fields);
const document = buildDocument(glossary);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

it('describes each contract that has a route, and no other', () => {
  const described = tags.flatMap(({ descriptions }) => Object.keys(descriptions));
  expect(described.toSorted()).toEqual(routed.map(({ name }) => name).toSorted());
  const unspoken = operations.filter(({ summary }) => !/^\p{Lu}.*[^.]$/u.test(summary));
  expect(unspoken.map(({ operationId }) => operationId)).toEqual([]);
});

it('names summaries of single routes that exist', () => {
  const named = tags.flatMap(({ descriptions }) =>
    Object.values(descriptions).flatMap(({ summaries }) => Object.keys(summaries ?? {})),
  );
  const served = allContracts.flatMap(({ endpoints }) => endpoints.map(({ method, path }) => `${method} ${path}`));
  expect(named.filter((address) => !served.includes(address))).toEqual([]);
});

it('describes each field and parameter, and has no dead entry', () => {
  expect([...glossary.missing]).toEqual([]);
  expect(glossary.unused).toEqual([]);
  const bare = operations.flatMap(({ parameters, operationId }) =>
    parameters
      .filter(({ description, example }) => description === '' || example === undefined)
      .map(({ name }) => `${operationId} ${name}`),
  );
  expect(bare).toEqual([]);
});

it('refers only to schemas and answers that it has, and has none that nothing refers to', () => {
  const names = new Set(refsIn(document).map((ref) => ref.split('/').at(-1)));
  const known = new Set([...Object.keys(document.components.schemas), ...Object.keys(document.components.responses)]);
  expect([...names].filter((name) => !known.has(String(name)))).toEqual([]);
  expect([...known].filter((name) => !names.has(name))).toEqual([]);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

const endpoints = routed.flatMap((contract) => contract.endpoints.map((endpoint) => ({ contract, endpoint })));

const operationOf = (path: string, method: string): Operation | undefined =>
  document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

it.each(endpoints.map((each) => ({ ...each, id: operationIdOf(each) })))(
  'gives examples of $id that its own schemas accept',
  ({ contract, endpoint }) => {
    const operation = operationOf(endpoint.path, endpoint.method);
    if (!contract.takesFile && !['sites.backups.compare', 'auth.tokens.create'].includes(contract.name)) {
      const sent = operation?.requestBody?.content['application/json']?.example ?? {};
      const inAddress = operation?.parameters
        .filter(({ in: place, required }) => place === 'path' || (place === 'query' && required) || place === 'query')
        .map(({ name, example }) => [name, example]);
      const input = { ...Object.fromEntries(inAddress ?? []), ...Object(sent), ...endpoint.fixedFields };
      expect(faultsOf(contract.input, input)).toEqual([]);
    }
    const answer = operation?.responses[contract.status]?.content?.['application/json'];
    if (answer) expect(faultsOf(resultSchema(contract), answer.example)).toEqual([]);
  },
);

const faultsOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
