import { describe, expect, it } from 'vitest';
import { breakingChanges } from './breaking-changes';
import type { Document, Operation, Schema } from './document-types';

type Change = Partial<Operation> & { path?: string; method?: string; schemas?: Record<string, Schema> };

const json = (schema: Schema) => ({ 'application/json': { schema } });

function documentOf({ path = '/api/a', method = 'get', schemas = {}, ...change }: Change): Document {
  const operation: Operation = {
    operationId: 'a',
    tags: [],
    summary: '',
    description: '',
    'x-access': 'user',
    'x-scope': 'read',
    'x-grant-role': 'operator',
    security: [],
    parameters: [],
    responses: {},
    ...change,
  };
  const empty = { openapi: '3.1.0', info: { title: '', version: '', description: '' }, servers: [], tags: [] };
  const components = { securitySchemes: {}, schemas, responses: {} };
  return { ...empty, paths: { [path]: { [method]: operation } }, components };
}

const compare = (before: Change, after: Change) => breakingChanges(documentOf(before), documentOf(after));
const answer = (schema: Schema): Change => ({ responses: { 200: { description: '', content: json(schema) } } });
const body = (schema: Schema): Change => ({ requestBody: { required: false, content: json(schema) } });
const parameter = (schema: Schema, required = false): Change => ({
  parameters: [{ name: 'q', in: 'query', required, description: '', schema }],
});
const fields = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
const text: Schema = { type: 'string' };

/** What is a break in one direction, and none in the other. */
const oneWay: [name: string, before: Change, after: Change, message: string][] = [
  ['stricter access', {}, { 'x-access': 'admin' }, 'the access was user, and is admin now'],
  ['a token no longer enough', { 'x-access': 'bearer' }, {}, 'the access was bearer, and is user now'],
  ['a session needed', {}, { 'x-scope': undefined }, 'tokens needed the scope read, and need a session now'],
  ['a higher role', {}, { 'x-grant-role': 'manager' }, 'a grant needs more than the role operator now'],
  ['a removed parameter', parameter(text), {}, 'the query parameter q was removed'],
  ['a required parameter', parameter(text), parameter(text, true), 'the query parameter q is required now'],
  [
    'narrower words',
    parameter({ enum: ['a', 'b'] }),
    parameter({ enum: ['a'] }),
    'the query parameter q no longer accepts b',
  ],
  [
    'words for any text',
    parameter(text),
    parameter({ ...text, enum: ['a'] }),
    'the query parameter q no longer accepts other words',
  ],
  [
    'a lower limit',
    parameter({ maximum: 500 }),
    parameter({ maximum: 100 }),
    'the query parameter q has a narrower maximum now',
  ],
  ['a new limit', parameter({}), parameter({ minLength: 1 }), 'the query parameter q has a narrower minLength now'],
  ['a form', parameter(text), parameter({ ...text, format: 'uuid' }), 'the query parameter q has another format now'],
  [
    'a lost type',
    parameter({ type: ['string', 'null'] }),
    parameter(text),
    'the query parameter q had the type string or null, and has string now',
  ],
  ['a removed field of a request', body(fields({ a: text })), body(fields({})), 'the body.a was removed'],
  ['a required field', body(fields({ a: text })), body(fields({ a: text }, ['a'])), 'the body.a is required now'],
  ['a body that is gone', body(text), {}, 'a body of application/json is no longer taken'],
  ['a removed field of an answer', answer(fields({ a: text })), answer(fields({})), 'the answer 200.a was removed'],
  [
    'a field that may be absent',
    answer(fields({ a: text }, ['a'])),
    answer(fields({ a: text })),
    'the answer 200.a may be absent now',
  ],
  [
    'a field that may be null',
    answer(fields({ a: text })),
    answer(fields({ a: { type: ['string', 'null'] } })),
    'the answer 200.a may be null now',
  ],
  [
    'a whole that may be null',
    answer(fields({ a: fields({}) })),
    answer(fields({ a: { anyOf: [fields({}), { type: 'null' }] } })),
    'the answer 200.a may be null now',
  ],
  [
    'a number for an integer',
    answer({ type: 'integer' }),
    answer({ type: 'number' }),
    'the answer 200 had the type integer, and has number or integer now',
  ],
  [
    'a field in a list',
    answer({ type: 'array', items: fields({ a: text }) }),
    answer({ type: 'array', items: fields({}) }),
    'the answer 200[].a was removed',
  ],
  [
    'a lost header',
    { responses: { 200: { headers: { location: { description: '', schema: text } } } } },
    { responses: { 200: {} } },
    'the answer 200 has no header location now',
  ],
  ['a lost success', { responses: { 200: {}, 202: {} } }, { responses: { 200: {} } }, 'the success 202 is gone'],
  [
    'a lost media type',
    answer(text),
    { responses: { 200: {} } },
    'the answer 200 is no longer sent as application/json',
  ],
];

describe('a break', () => {
  it.each(oneWay)('is %s', (_, before, after, message) => {
    expect(compare(before, after)).toEqual([`GET /api/a: ${message}`]);
    expect(compare(after, before)).toEqual([]);
  });

  it('is in both directions a route or method that is gone, another status, type, scope and way in', () => {
    expect(compare({}, { path: '/api/b' })).toEqual(['GET /api/a was removed']);
    expect(compare({}, { method: 'post' })).toEqual(['GET /api/a was removed']);
    const [ok, created] = [{ responses: { 200: {} } }, { responses: { 201: {} } }];
    expect(compare(ok, created)).toEqual(['GET /api/a: the success 200 is gone']);
    expect(compare(created, ok)).toEqual(['GET /api/a: the success 201 is gone']);
    const numbers = answer({ type: 'integer' });
    expect(compare(answer(text), numbers)).toHaveLength(1);
    expect(compare(numbers, answer(text))).toHaveLength(1);
    expect(compare({}, { 'x-scope': 'update' })).toHaveLength(1);
    expect(compare({}, { 'x-access': 'ticket' })).toHaveLength(1);
    expect(compare({ 'x-access': 'ticket' }, { 'x-access': 'public' })).toHaveLength(1);
  });

  it('is found behind a reference, once, also where schemas refer to themselves', () => {
    const ref = { $ref: '#/components/schemas/A' };
    const tree = (leaf: Record<string, Schema>): Change => ({
      ...answer(ref),
      schemas: { A: fields({ ...leaf, children: { type: 'array', items: ref } }) },
    });
    expect(compare(tree({ a: text }), tree({}))[0]).toBe('GET /api/a: the answer 200.a was removed');
    expect(compare(tree({}), tree({ a: text }))).toEqual([]);
  });

  it('is a variant that is gone, and one that is new where no word tells them apart', () => {
    const variant = (word: string) => fields({ kind: { const: word } }, ['kind']);
    const [few, many] = [answer({ oneOf: [variant('a')] }), answer({ oneOf: [variant('a'), variant('b')] })];
    expect(compare(few, many)).toEqual([]);
    expect(compare(many, few)).toHaveLength(1);
    const either = answer({ anyOf: [text, { type: 'integer' }] });
    expect(compare(answer(text), either)).toEqual(['GET /api/a: the answer 200 may be something else now']);
  });
});

it('is no break that an answer has new words, fields and forms of errors', () => {
  expect(compare(answer({ enum: ['a'] }), answer({ enum: ['a', 'b'] }))).toEqual([]);
  expect(compare(answer({ enum: ['a', 'b'] }), answer({ enum: ['a'] }))).toEqual([]);
  expect(compare({ responses: { 404: {} } }, { responses: { 409: {} } })).toEqual([]);
});
