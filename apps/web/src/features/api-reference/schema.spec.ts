import { describe, expect, it } from 'vitest';
import type { JsonSchema } from './api-document';
import { shapeOf } from './schema-shape';
import { nameLimits, nameType, valuesOf } from './schema-words';

const site: JsonSchema = { $ref: '#/components/schemas/Site' };
const schemas: Record<string, JsonSchema> = {
  Site: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', format: 'uuid' }, parent: { anyOf: [site, { type: 'null' }] } },
  },
  Loop: { $ref: '#/components/schemas/Loop' },
  Lists: { type: 'array', items: { $ref: '#/components/schemas/Lists' } },
  Forms: { anyOf: [{ $ref: '#/components/schemas/Forms' }, { $ref: '#/components/schemas/Forms' }] },
};
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

describe('the type of a value', () => {
  it.each<[string, JsonSchema]>([
    ['texte', { type: 'string' }],
    ['nombre entier ou null', { type: ['integer', 'null'] }],
    ['date et heure ou null', { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }],
    ['liste d’identifiants (UUID)', { type: 'array', items: { type: 'string', format: 'uuid' } }],
    ['objet Site', site],
    ['liste d’objets Site', { type: 'array', items: site }],
    ['texte ou objet Site', { oneOf: [{ type: 'string' }, site] }],
    ['texte', { enum: ['ok', 'error'] }],
    ['"paths"', { const: 'paths', type: 'string' }],
    ['toute valeur', {}],
  ])('is said in words: %s', (words, schema) => expect(nameType(schema, schemas)).toBe(words));

  it('comes to an end where a schema refers to itself', () => {
    for (const name of ['Loop', 'Lists', 'Forms']) expect(nameType(ref(name), schemas)).toBeTypeOf('string');
  });
});

describe('the limits of a value', () => {
  it.each<[string[], JsonSchema]>([
    [['1 à 100\u00a0caractères'], { type: 'string', minLength: 1, maxLength: 100 }],
    [['200\u00a0caractères au plus'], { anyOf: [{ type: 'string', maxLength: 200 }, { type: 'null' }] }],
    [['1\u00a0entrée au moins'], { type: 'array', minItems: 1 }],
    [['0 à 5'], { type: 'integer', minimum: 0, maximum: 5 }],
    [['0 au moins'], { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
    [[], { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
    [['6\u00a0caractères exactement'], { type: 'string', minLength: 6, maxLength: 6 }],
  ])('are said in words: %s', (words, schema) => expect(nameLimits(schema, schemas)).toEqual(words));

  it('name the values to choose from, without null', () => {
    expect(valuesOf({ enum: ['ok', null] }, schemas)).toEqual(['ok']);
    expect(valuesOf({ type: 'array', items: { enum: ['a'] } }, schemas)).toEqual(['a']);
  });
});

describe('the shape of a schema', () => {
  const namesOf = (schema: JsonSchema) => {
    const shape = shapeOf(schema, schemas);
    if (!shape) return undefined;
    return 'fields' in shape ? shape.fields.map(({ name }) => name) : shape.variants.map(({ name }) => name);
  };

  it('is that of what a list, a map or a value that may be null holds', () => {
    const fields = ['id', 'parent'];
    expect(namesOf({ type: 'array', items: site })).toEqual(fields);
    expect(namesOf({ type: 'object', additionalProperties: site })).toEqual(fields);
    expect(namesOf({ anyOf: [site, { type: 'null' }] })).toEqual(fields);
  });

  it('joins the fields of several schemas', () => {
    expect(namesOf({ allOf: [site], properties: { extra: {} } })).toEqual(['id', 'parent', 'extra']);
  });

  it('tells forms apart by the value that each fixes, or by their names', () => {
    const form = { type: 'object', properties: { kind: { const: 'paths' } } };
    expect(namesOf({ anyOf: [form, site, { type: 'object', properties: { a: {} } }] })).toEqual([
      'kind\u00a0: paths',
      'Site',
      'Forme 3',
    ]);
  });

  it('is none for plain values, and for a schema that only refers to itself', () => {
    for (const schema of [{ type: 'string' }, ref('Loop'), ref('Lists'), ref('Forms'), ref('Unknown')])
      expect(namesOf(schema)).toBeUndefined();
  });
});
