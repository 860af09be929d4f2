import { namedSchemas } from '@vigie/contracts/all';
import { z } from 'zod';
import type { Schema } from './document-types';

type Form = 'input' | 'output';

const prefix = '#/components/schemas/';
const refTo = (name: string) => `${prefix}${name}`;
export const nameIn = (ref: string) => ref.slice(prefix.length);

/** The schemas of both forms by name: those of the contract modules, and the given ones that have no name there. */
export type JsonSchemas = Record<Form, ReadonlyMap<string, Schema>>;

/** Describes these schemas in JSON, each named schema once: wherever else it is used, there is a reference to it. */
export function describeSchemas(roots: Record<Form, ReadonlyMap<string, z.ZodType>>): JsonSchemas {
  return { input: describeForm('input', roots.input), output: describeForm('output', roots.output) };
}

function describeForm(io: Form, roots: ReadonlyMap<string, z.ZodType>): Map<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of namedSchemas) registry.add(schema, { id });
  for (const [id, schema] of roots) if (!registry.has(schema)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: refTo, override: nameWords });
  const described = new Map(Object.entries(schemas).map(([id, schema]) => [id, simplify(schema as Schema)]));
  for (const [id, schema] of roots) {
    const name = registry.get(schema)?.id;
    // Contracts may share a schema that has no name.
    if (name !== undefined && name !== id) {
      described.set(id, namedSchemas.has(name) ? { $ref: refTo(name) } : (described.get(name) ?? {}));
    }
  }
  return described;
}

/** The words of `oneOf`, which takes any text and refuses other words with a sentence. */
function nameWords({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const words: unknown = zodSchema instanceof z.ZodPipe ? zodSchema.out : undefined;
  if (words instanceof z.ZodEnum) Object.assign(jsonSchema, { enum: words.options });
}

/** What zod says for validators, and a reader does not need. */
const hidden: ReadonlySet<string> = new Set(['$schema', '$id', 'propertyNames']);
const isHidden = (key: string, value: unknown, { format }: Schema) =>
  hidden.has(key) ||
  // Callers must accept new fields of an answer, and requests with unknown fields are accepted.
  (key === 'additionalProperties' && value === false) ||
  (key === 'pattern' && format !== undefined) ||
  Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

function simplify(schema: Schema): Schema {
  const entries = Object.entries(schema).filter(([key, value]) => !isHidden(key, value, schema));
  return mergeNull(Object.fromEntries(entries.map(([key, value]) => [key, simplifyAt(key, value)])));
}

function simplifyAt(key: string, value: unknown): unknown {
  if (key === 'properties') {
    return Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, simplify(Object(each))]));
  }
  if (['anyOf', 'oneOf', 'allOf'].includes(key)) return (value as Schema[]).map(simplify);
  return ['items', 'additionalProperties'].includes(key) && typeof value === 'object' ? simplify(Object(value)) : value;
}

/** A value or null is one schema with two types, unless the value has a list of words or a name. */
function mergeNull({ anyOf, ...schema }: Schema): Schema {
  if (!anyOf) return schema;
  const [value, ...others] = anyOf.filter(({ type }) => type !== 'null');
  const isSimple = typeof value?.type === 'string' && value.enum === undefined && value.const === undefined;
  if (others.length > 0 || anyOf.length === 1 || !isSimple) return { ...schema, anyOf };
  return { ...value, ...schema, type: [String(value.type), 'null'] };
}

/** Every reference in a schema. */
export function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === '$ref' && typeof each === 'string' ? [nameIn(each)] : refsIn(each),
  );
}

/**
 * The named schemas that these uses reach. A schema that requests and answers use in different forms is two: the one of
 * requests is called `…Input`.
 */
export function componentsOf(schemas: JsonSchemas, uses: Record<Form, unknown>) {
  const reached = { input: reach(schemas.input, uses.input), output: reach(schemas.output, uses.output) };
  const differing = differingIn(schemas, reached);
  const rename = <T>(value: T): T => renameRefs(value, differing);
  const components = new Map<string, Schema>();
  for (const name of reached.output) components.set(name, schemas.output.get(name) ?? {});
  for (const name of reached.input) {
    if (differing.has(name)) components.set(`${name}Input`, rename(schemas.input.get(name) ?? {}));
    else if (!components.has(name)) components.set(name, rename(schemas.input.get(name) ?? {}));
  }
  const sorted = [...components].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { components: Object.fromEntries(sorted), rename };
}

function reach(schemas: ReadonlyMap<string, Schema>, use: unknown): Set<string> {
  const found = new Set(refsIn(use));
  for (const name of found) for (const next of refsIn(schemas.get(name))) found.add(next);
  return found;
}

function differingIn({ input, output }: JsonSchemas, reached: Record<Form, Set<string>>): Set<string> {
  const both = [...reached.input].filter((name) => reached.output.has(name));
  const differing = new Set(
    both.filter((name) => JSON.stringify(input.get(name)) !== JSON.stringify(output.get(name))),
  );
  // A schema differs as well when one that it refers to does.
  for (let size = -1; size !== differing.size; ) {
    size = differing.size;
    for (const name of both) if (refsIn(input.get(name)).some((ref) => differing.has(ref))) differing.add(name);
  }
  return differing;
}

function renameRefs<T>(value: T, differing: ReadonlySet<string>): T {
  if (Array.isArray(value)) return value.map((each: unknown) => renameRefs(each, differing)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    const isRenamed = key === '$ref' && differing.has(nameIn(String(each)));
    return [key, isRenamed ? `${String(each)}Input` : renameRefs(each, differing)];
  });
  return Object.fromEntries(entries);
}
