import { type JsonSchema, refName, type Schemas } from './api-document';
import { isNullable, resolveSchema, variantsOf } from './schema-shape';

/** The name of one such value, and that of a list of them. */
type Words = readonly [one: string, many: string];

const typeWords: Readonly<Record<string, Words>> = {
  string: ['texte', 'liste de textes'],
  integer: ['nombre entier', 'liste de nombres entiers'],
  number: ['nombre', 'liste de nombres'],
  boolean: ['vrai ou faux', 'liste de vrai ou faux'],
  array: ['liste', 'liste de listes'],
  object: ['objet', 'liste d’objets'],
  null: ['null', 'liste de null'],
};

const formatWords: Readonly<Record<string, Words>> = {
  uuid: ['identifiant (UUID)', 'liste d’identifiants (UUID)'],
  'date-time': ['date et heure', 'liste de dates et heures'],
  date: ['date', 'liste de dates'],
  uri: ['adresse', 'liste d’adresses'],
  url: ['adresse', 'liste d’adresses'],
  email: ['adresse e-mail', 'liste d’adresses e-mail'],
  binary: ['fichier', 'liste de fichiers'],
};

const anyWords: Words = ['toute valeur', 'liste de toutes valeurs'];
const maxDepth = 6;

/** The type of a value in words: "texte", "liste d’objets Site", "date et heure ou null". */
export function nameType(schema: JsonSchema, schemas: Schemas): string {
  const resolved = resolveSchema(schema, schemas);
  const [name] = wordsOf(schema, schemas, 0);
  return isNullable(resolved) && !name.endsWith('null') ? `${name} ou null` : name;
}

function wordsOf(schema: JsonSchema, schemas: Schemas, depth: number): Words {
  const resolved = resolveSchema(schema, schemas);
  const variants = variantsOf(resolved);
  if (depth > maxDepth) return anyWords;
  if (variants.length > 0) return join(variants.map((variant) => wordsOf(variant, schemas, depth + 1)));
  const { items, const: fixed, format = '' } = resolved;
  if (fixed !== undefined) return [JSON.stringify(fixed), `liste de ${JSON.stringify(fixed)}`];
  if (items) {
    const [, many] = wordsOf(items, schemas, depth + 1);
    return [many, `liste de ${many}`];
  }
  const types = typesOf(resolved);
  if (types.length === 1 && types[0] === 'object') return nameObject(schema);
  return (
    formatWords[format] ?? (types.length === 0 ? anyWords : join(types.map((type) => typeWords[type] ?? anyWords)))
  );
}

function typesOf({ type, properties, allOf, enum: values }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type];
  if (type) return type.filter((name) => name !== 'null');
  if (properties || allOf) return ['object'];
  return [...new Set((values ?? []).filter((value) => value !== null).map((value) => typeof value))];
}

const nameObject = ({ $ref }: JsonSchema): Words =>
  $ref === undefined ? ['objet', 'liste d’objets'] : [`objet ${refName($ref)}`, `liste d’objets ${refName($ref)}`];

function join(words: readonly Words[]): Words {
  const ones = [...new Set(words.map(([one]) => one))];
  const lists = [...new Set(words.map(([, many]) => many))];
  return [ones.join(' ou '), lists.join(' ou ')];
}

/** The values that a field or the entries of a list may have, where they are few enough to be named. */
export function valuesOf(schema: JsonSchema, schemas: Schemas): readonly unknown[] {
  const { enum: values, items, anyOf, oneOf } = resolveSchema(schema, schemas);
  if (values) return values.filter((value) => value !== null);
  if (items) return resolveSchema(items, schemas).enum ?? [];
  return (anyOf ?? oneOf ?? []).flatMap((variant) => resolveSchema(variant, schemas).enum ?? []);
}

/** What a value must keep to: "1 à 100 caractères". */
export function nameLimits(schema: JsonSchema, schemas: Schemas): string[] {
  const resolved = resolveSchema(schema, schemas);
  const [only] = variantsOf(resolved);
  const limited = only && variantsOf(resolved).length === 1 ? resolveSchema(only, schemas) : resolved;
  return [
    nameRange(limited.minLength, limited.maxLength, 'caractère'),
    nameRange(limited.minItems, limited.maxItems, 'entrée'),
    nameRange(withinSafe(limited.minimum), withinSafe(limited.maximum)),
  ].filter((limit) => limit !== undefined);
}

/** Every whole number has these limits, since a program in JavaScript cannot tell larger ones apart. */
const withinSafe = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit;

const digits = new Intl.NumberFormat('fr-FR');

function nameRange(min: number | undefined, max: number | undefined, unit?: string): string | undefined {
  const name = (limit: number) => {
    const count = digits.format(limit);
    return unit === undefined ? count : `${count}\u00a0${unit}${limit > 1 ? 's' : ''}`;
  };
  if (max === undefined) return min === undefined || (unit && min === 0) ? undefined : `${name(min)} au moins`;
  if (min === undefined || (unit && min === 0)) return `${name(max)} au plus`;
  return min === max ? `${name(max)} exactement` : `${digits.format(min)} à ${name(max)}`;
}
