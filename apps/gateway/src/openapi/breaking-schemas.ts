import type { Document, Schema } from './document-types';

/** What a schema describes: callers send requests, and read answers. */
export type Direction = 'request' | 'answer';

/** Both documents, in which references are looked up. */
export type Pair = { before: Document; after: Document };

/** Bounds of requests: a higher least or a lower most refuses what was accepted. */
const least = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const most = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/** Names each way in which a schema no longer serves the callers of an earlier one. */
export class SchemaComparison {
  constructor(
    private readonly documents: Pair,
    private readonly direction: Direction,
    /** References that were followed: schemas may refer to themselves, and a break is named once. */
    private readonly compared = new Set<string>(),
  ) {}

  breaks(before: Schema, after: Schema, where: string): string[] {
    const key = `${before.$ref} ${after.$ref}`;
    if (before.$ref !== undefined && this.compared.has(key)) return [];
    this.compared.add(key);
    const [old, now] = [resolve(this.documents.before, before), resolve(this.documents.after, after)];
    const [oldVariants, nowVariants] = [variantsOf(old), variantsOf(now)];
    if (oldVariants.length > 1 || nowVariants.length > 1) return this.variantBreaks(oldVariants, nowVariants, where);
    const [oldOne = {}, nowOne = {}] = [oldVariants[0], nowVariants[0]];
    return [
      ...this.typeBreaks(oldOne, nowOne, where),
      ...(this.direction === 'request' ? requestBreaks(oldOne, nowOne, where) : answerBreaks(oldOne, nowOne, where)),
      ...this.fieldBreaks(oldOne, nowOne, where),
      ...this.partBreaks(oldOne, nowOne, where),
    ];
  }

  /**
   * Each earlier variant must still be one. A new one of an answer is a break, unless a field with a word tells the
   * variants apart: then it is like a new word. Null always is, since code reads on.
   */
  private variantBreaks(old: Schema[], now: Schema[], where: string): string[] {
    const isNull = ({ type }: Schema) => type === 'null';
    const isStill = (each: Schema) => now.some((other) => this.breaksOfCopy(each, other, where).length === 0);
    const lost = old.filter((each) => !(this.direction === 'answer' && isNull(each)) && !isStill(each));
    const becameNull = this.direction === 'answer' && now.some(isNull) && !old.some(isNull);
    // Of a value or null, the breaks of the value say more.
    const [oldValue, ...oldOthers] = old.filter((each) => !isNull(each));
    const [value, ...others] = now.filter((each) => !isNull(each));
    const isSingle = lost.length === 1 && oldOthers.length + others.length === 0 && oldValue && value;
    const details = isSingle
      ? this.breaksOfCopy(oldValue, value, where)
      : lost.map((variant) => `${where}: the variant ${nameOf(variant)} is gone or has changed`);
    const isMore =
      this.direction === 'answer' && others.length > oldOthers.length && !old.every((each) => this.hasWord(each));
    return [
      ...details,
      ...(becameNull ? [`${where} may be null now`] : []),
      ...(isMore ? [`${where} may be something else now`] : []),
    ];
  }

  private hasWord(variant: Schema): boolean {
    const { properties = {} } = resolve(this.documents.before, variant);
    return Object.values(properties).some((field) => 'const' in field);
  }

  private breaksOfCopy(old: Schema, now: Schema, where: string): string[] {
    return new SchemaComparison(this.documents, this.direction, new Set(this.compared)).breaks(old, now, where);
  }

  /** A request may gain types, an answer lose some. */
  private typeBreaks(old: Schema, now: Schema, where: string): string[] {
    const [oldTypes, nowTypes] = [typesOf(old), typesOf(now)];
    const [wider, narrower] = this.direction === 'request' ? [nowTypes, oldTypes] : [oldTypes, nowTypes];
    if (wider === undefined || narrower?.every((type) => wider.includes(type))) return [];
    const gainsNull = narrower?.filter((type) => !wider.includes(type)).join() === 'null';
    if (this.direction === 'answer' && gainsNull) return [`${where} may be null now`];
    return [`${where} had the type ${oldTypes?.join(' or ')}, and has ${nowTypes?.join(' or ')} now`];
  }

  private fieldBreaks(old: Schema, now: Schema, where: string): string[] {
    if (!old.properties && !now.properties) return [];
    const fields = Object.entries(old.properties ?? {}).flatMap(([name, field]) => {
      const other = now.properties?.[name];
      const place = `${where}.${name}`;
      return other ? this.breaks(field, other, place) : [`${place} was removed`];
    });
    const [required, others] =
      this.direction === 'request' ? [now.required, old.required] : [old.required, now.required];
    const changed = (required ?? []).filter((name) => !others?.includes(name));
    if (this.direction === 'request') return [...fields, ...changed.map((name) => `${where}.${name} is required now`)];
    const optional = changed.filter((name) => now.properties?.[name]);
    return [...fields, ...optional.map((name) => `${where}.${name} may be absent now`)];
  }

  private partBreaks(old: Schema, now: Schema, where: string): string[] {
    const [oldMore, nowMore] = [old.additionalProperties, now.additionalProperties];
    return [
      ...(old.items && now.items ? this.breaks(old.items, now.items, `${where}[]`) : []),
      ...(typeof oldMore === 'object' && typeof nowMore === 'object'
        ? this.breaks(oldMore, nowMore, `${where}.*`)
        : []),
    ];
  }
}

function resolve({ components }: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
}

const variantsOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? [schema];
const nameOf = ({ $ref, type, properties }: Schema) =>
  $ref?.split('/').at(-1) ?? (Object.keys(properties ?? {}).join(', ') || String(type));

/** An integer is a number. */
const typesOf = ({ type }: Schema): string[] | undefined =>
  type === undefined
    ? undefined
    : [type].flat().flatMap((each) => (each === 'number' ? ['number', 'integer'] : [each]));

const wordsOf = (schema: Schema): unknown[] | undefined => ('const' in schema ? [schema.const] : schema.enum);

/** What was accepted must still be accepted. */
function requestBreaks(old: Schema, now: Schema, where: string): string[] {
  const [oldWords, nowWords] = [wordsOf(old), wordsOf(now)];
  const lost = nowWords && (oldWords ?? ['other words']).filter((word) => !nowWords.includes(word));
  const raised = least.filter((limit) => Number(now[limit] ?? -Infinity) > Number(old[limit] ?? -Infinity));
  const lowered = most.filter((limit) => Number(now[limit] ?? Infinity) < Number(old[limit] ?? Infinity));
  const forms = (['format', 'pattern'] as const).filter((form) => now[form] !== undefined && now[form] !== old[form]);
  return [
    ...(lost && lost.length > 0 ? [`${where} no longer accepts ${lost.map(String).join(', ')}`] : []),
    ...[...raised, ...lowered].map((limit) => `${where} has a narrower ${limit} now`),
    ...forms.map((form) => `${where} has another ${form} now`),
  ];
}

/** New words of an answer are no break: `info.description` tells callers to expect them. */
function answerBreaks(old: Schema, now: Schema, where: string): string[] {
  const isOtherWord = 'const' in old && 'const' in now && old.const !== now.const;
  const isOtherForm = old.format !== undefined && old.format !== now.format;
  return isOtherWord || isOtherForm ? [`${where} has another form now`] : [];
}
