import type { z } from 'zod';

export type Path = readonly (string | number)[];
export type Field = { path: Path; schema: z.ZodType };

/** The fields of zod's internal definitions that a walk needs; each kind of schema has some of them. */
type SchemaDefinition = {
  type: string;
  shape?: Record<string, z.ZodType>;
  options?: readonly z.ZodType[];
  items?: readonly z.ZodType[];
  element?: z.ZodType;
  valueType?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  getter?: () => z.ZodType;
  entries?: Record<string, string | number>;
  values?: readonly unknown[];
};

const maxDepth = 6;
const definitionOf = (schema: z.ZodType): SchemaDefinition => schema.def;

/** Lists every path of an input with its schema, each path once. */
export function listFields(schema: z.ZodType, path: Path = []): Field[] {
  if (path.length > maxDepth) return [];
  const fields = childrenOf(schema).flatMap(({ key, schema: child }) =>
    key === undefined
      ? listFields(child, path)
      : [{ path: [...path, key], schema: child }, ...listFields(child, [...path, key])],
  );
  return fields.filter(
    ({ path: first }, index) => fields.findIndex(({ path: second }) => isSamePath(first, second)) === index,
  );
}

const isSamePath = (first: Path, second: Path) =>
  first.length === second.length && first.every((key, index) => key === second[index]);

type Child = { key: string | number | undefined; schema: z.ZodType };

/** A child without a key describes the same path, as a wrapper or a variant. */
function childrenOf(schema: z.ZodType): Child[] {
  const definition = definitionOf(schema);
  const keyed = Object.entries(definition.shape ?? {}).map(([key, child]) => ({ key, schema: child }));
  const listed = [definition.element, ...(definition.items ?? [])].flatMap((child) =>
    child ? [{ key: 0, schema: child }] : [],
  );
  const valued = definition.valueType ? [{ key: 'phare', schema: definition.valueType }] : [];
  return [...keyed, ...listed, ...valued, ...unwrap(definition).map((child) => ({ key: undefined, schema: child }))];
}

const unwrap = (definition: SchemaDefinition): z.ZodType[] =>
  [
    definition.innerType,
    definition.in,
    definition.out,
    definition.left,
    definition.right,
    definition.getter?.(),
    ...(definition.options ?? []),
  ].filter((child) => child !== undefined);

/** Values that fields accept. Host names come after an IP address, which needs no DNS lookup. */
const defaults: readonly unknown[] = [
  '127.0.0.1',
  'http://127.0.0.1:9/',
  'phare@exemple.fr',
  'exemple.fr',
  'www',
  '/srv/site',
  '1',
  '7b0e6a1c-1f0e-4c5e-9d3a-5b1f0c9e2d10',
  'f'.repeat(32),
  'f'.repeat(64),
  `SHA256:${'A'.repeat(43)}`,
  '2026-01-02T03:04:05Z',
  '2026-01-02',
  '000000',
  'phare.zip',
  'phare.wpress',
  'A',
  `data:image/png;base64,AAAA`,
  1,
  60,
  true,
  false,
  null,
];

/** Creates an input that the schema probably accepts; `knownValues` holds values for fields by name. */
export function createExample(schema: z.ZodType, knownValues: Readonly<Record<string, unknown>> = {}): unknown {
  const shape = shapeOf(schema);
  if (shape) {
    const fields = Object.entries(shape).map(([name, field]) => [
      name,
      knownValues[name] ?? createExample(field, knownValues),
    ]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  const element = elementOf(schema);
  if (element) return [createExample(element, knownValues)];
  return [...literalValues(schema), ...defaults].find((value) => schema.safeParse(value).success);
}

/** The shape of the first object inside the wrappers of a schema. */
function shapeOf(schema: z.ZodType): SchemaDefinition['shape'] {
  const definition = definitionOf(schema);
  return definition.shape ?? findFirst(unwrap(definition), shapeOf);
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const definition = definitionOf(schema);
  return definition.element ?? findFirst(unwrap(definition), elementOf);
}

function literalValues(schema: z.ZodType): unknown[] {
  const definition = definitionOf(schema);
  return [
    ...Object.values(definition.entries ?? {}),
    ...(definition.values ?? []),
    ...unwrap(definition).flatMap(literalValues),
  ];
}

function findFirst<T>(schemas: readonly z.ZodType[], find: (schema: z.ZodType) => T | undefined): T | undefined {
  for (const schema of schemas) {
    const result = find(schema);
    if (result !== undefined) return result;
  }
  return undefined;
}
