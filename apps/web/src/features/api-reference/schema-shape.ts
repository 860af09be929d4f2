import { type JsonSchema, refName, type Schemas } from './api-document';

type Field = { name: string; schema: JsonSchema; isRequired: boolean };
type Variant = { name: string; schema: JsonSchema };

/** What a schema shows when it is unfolded: the fields of an object, or the forms that it may have. */
export type Shape = { fields: readonly Field[] } | { variants: readonly Variant[] };

/** No schema of a document refers or nests deeper without naming a field, unless it refers to itself. */
const maxDepth = 12;

/** Follows references; what stands beside one, such as a description, holds too. */
export function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  let resolved = schema;
  for (let depth = 0; resolved.$ref !== undefined && depth < maxDepth; depth += 1) {
    const { $ref, ...beside } = resolved;
    resolved = { ...schemas[refName($ref)], ...beside };
  }
  return resolved;
}

const isNull = (schema: JsonSchema) => schema.type === 'null' || schema.const === null;

/** The forms of a schema, without the one that says that it may be null. */
export const variantsOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] =>
  (anyOf ?? oneOf ?? []).filter((variant) => !isNull(variant));

export const isNullable = ({ type, anyOf, oneOf, enum: values }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) ||
  (anyOf ?? oneOf ?? []).some(isNull) ||
  values?.includes(null) === true;

/** The fields of an object, with those of the schemas that it joins. */
function fieldsOf(schema: JsonSchema, schemas: Schemas, depth: number): Field[] {
  const { properties = {}, required = [], allOf = [] } = resolveSchema(schema, schemas);
  const own = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }));
  if (depth > maxDepth) return own;
  const fields = [...allOf.flatMap((part) => fieldsOf(part, schemas, depth + 1)), ...own];
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/** A list and a map have the shape of what is in them. Undefined for a schema without fields. */
export function shapeOf(schema: JsonSchema, schemas: Schemas, depth = 0): Shape | undefined {
  if (depth > maxDepth) return undefined;
  const fields = fieldsOf(schema, schemas, depth);
  if (fields.length > 0) return { fields };
  const resolved = resolveSchema(schema, schemas);
  const { items, additionalProperties: values } = resolved;
  const inner = items ?? (typeof values === 'object' ? values : undefined);
  if (inner) return shapeOf(inner, schemas, depth + 1);
  const variants = variantsOf(resolved);
  const [only] = variants;
  if (only && variants.length === 1) return shapeOf(only, schemas, depth + 1);
  const isDeep = variants.some((variant) => shapeOf(variant, schemas, depth + 1) !== undefined);
  return isDeep ? { variants: variants.map(nameVariant(schemas)) } : undefined;
}

/** A form is best told from the others by the one value that a field of it must have. */
const nameVariant =
  (schemas: Schemas) =>
  (schema: JsonSchema, index: number): Variant => {
    const fixed = fieldsOf(schema, schemas, 0).find((field) => typeof field.schema.const === 'string');
    const name = schema.$ref === undefined ? `Forme ${index + 1}` : refName(schema.$ref);
    return { schema, name: fixed ? `${fixed.name}\u00a0: ${String(fixed.schema.const)}` : name };
  };
