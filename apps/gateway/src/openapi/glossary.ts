import type { Schema } from './document-types';

/** A French description, and an example where the schema's own does not do. */
export type Field = readonly [description: string, example?: unknown];
export type Fields = Readonly<Record<string, Field>>;

/**
 * Describes the fields of schemas by their names. A key may also begin with the schema (`Job.state`) or the contract
 * (`sites.jobs.list:state`) and name the way to the field.
 */
export class Glossary {
  private readonly used = new Set<string>();
  readonly missing = new Set<string>();

  constructor(private readonly fields: Fields) {}

  get unused(): string[] {
    return Object.keys(this.fields).filter((key) => !this.used.has(key));
  }

  find(owner: string, way: readonly string[]): Field {
    const name = way.at(-1) ?? '';
    for (const key of [`${owner}${way.join('.')}`, name]) {
      const field = Object.hasOwn(this.fields, key) ? this.fields[key] : undefined;
      if (!field) continue;
      this.used.add(key);
      return field;
    }
    this.missing.add(`${owner}${way.join('.')}`);
    return [''];
  }

  /** The schema with a description of each of its fields. `owner` ends with `.` or `:`. */
  describe(schema: Schema, owner: string, way: readonly string[] = []): Schema {
    const described = { ...schema };
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const variants = schema[keyword];
      if (variants) described[keyword] = variants.map((each) => this.describe(each, owner, way));
    }
    if (schema.items) described.items = this.describe(schema.items, owner, way);
    if (typeof schema.additionalProperties === 'object') {
      described.additionalProperties = this.describe(schema.additionalProperties, owner, way);
    }
    if (!schema.properties) return described;
    const properties = Object.entries(schema.properties).map(([name, property]) => {
      const wayTo = [...way, name];
      const [description, example] = this.find(owner, wayTo);
      const inner = this.describe(property, owner, wayTo);
      return [name, { ...inner, description, ...examplesOf(inner, example) }];
    });
    return { ...described, properties: Object.fromEntries(properties) };
  }
}

/** The own example of a field, unless it is composed of those of its parts. */
function examplesOf(schema: Schema, example: unknown): { examples?: unknown[] } {
  if (example !== undefined) return { examples: [example] };
  const isComposed = schema.$ref ?? schema.properties ?? schema.items ?? schema.anyOf ?? schema.oneOf;
  return isComposed ? {} : { examples: [plainExample(schema)] };
}

/** An example for a schema that none was written for. */
export function plainExample(schema: Schema): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const type = [schema.type].flat()[0];
  if (schema.format === 'uuid') return '01932c07-2a00-7c3a-9f1e-5d7a6b0c4e21';
  if (schema.format === 'date-time') return '2026-11-28T09:30:00.000Z';
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(1, Number(schema['minimum'] ?? 1));
  return type === 'string' ? 'texte' : null;
}
