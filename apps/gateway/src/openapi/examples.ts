import type { Schema } from './document-types';
import { plainExample } from './glossary';
import { nameIn } from './schemas';

type Components = Readonly<Record<string, Schema>>;

/** An example of a described schema, composed of those of its fields. */
export function composeExample(schema: Schema, components: Components): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.$ref !== undefined) return composeExample(components[nameIn(schema.$ref)] ?? {}, components);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return composeExample(variants.find(({ type }) => type !== 'null') ?? {}, components);
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([name, property]) => [name, composeExample(property, components)]));
  }
  if (schema.items) return [composeExample(schema.items, components)];
  return [schema.type].flat()[0] === 'object' ? {} : plainExample(schema);
}
