import type { z } from 'zod';

export type Path = readonly (string | number)[];
export type Field = { path: Path; schema: z.ZodType };

/** What zod knows of a schema, as far as a walk needs it: each kind has some of these. */
type Def = {
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

const deepest = 6;
const defOf = (schema: z.ZodType): Def => schema.def;

/** Every place of an input that a schema says something about, however many ways there are. */
export function fieldsOf(schema: z.ZodType, path: Path = []): Field[] {
  if (path.length > deepest) return [];
  const below = childrenOf(schema).flatMap(({ key, schema: child }) =>
    key === undefined
      ? fieldsOf(child, path)
      : [{ path: [...path, key], schema: child }, ...fieldsOf(child, [...path, key])],
  );
  return below.filter(({ path: one }, at) => below.findIndex(({ path: other }) => isSame(one, other)) === at);
}

const isSame = (one: Path, other: Path) => one.length === other.length && one.every((key, at) => key === other[at]);

type Child = { key: string | number | undefined; schema: z.ZodType };

/** Without a key: the same place, said in another way. */
function childrenOf(schema: z.ZodType): Child[] {
  const def = defOf(schema);
  const keyed = Object.entries(def.shape ?? {}).map(([key, child]) => ({ key, schema: child }));
  const listed = [def.element, ...(def.items ?? [])].flatMap((child) => (child ? [{ key: 0, schema: child }] : []));
  const valued = def.valueType ? [{ key: 'phare', schema: def.valueType }] : [];
  return [...keyed, ...listed, ...valued, ...samePlace(def).map((child) => ({ key: undefined, schema: child }))];
}

const samePlace = (def: Def): z.ZodType[] =>
  [def.innerType, def.in, def.out, def.left, def.right, def.getter?.(), ...(def.options ?? [])].filter(
    (child) => child !== undefined,
  );

/** Texts and numbers that one field or another takes; a name may be an address, so that nobody is looked up for it. */
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

/** An input that the schema takes, as far as its parts can be guessed; `known` gives some of them by their names. */
export function exampleOf(schema: z.ZodType, known: Readonly<Record<string, unknown>> = {}): unknown {
  const shape = shapeOf(schema);
  if (shape) {
    const fields = Object.entries(shape).map(([name, field]) => [name, known[name] ?? exampleOf(field, known)]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  const element = elementOf(schema);
  if (element) return [exampleOf(element, known)];
  return [...wordsOf(schema), ...defaults].find((value) => schema.safeParse(value).success);
}

/** Of the object that a place holds, whatever is wrapped around it; the first of several. */
function shapeOf(schema: z.ZodType): Def['shape'] {
  const def = defOf(schema);
  return def.shape ?? firstOf(samePlace(def), shapeOf);
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const def = defOf(schema);
  return def.element ?? firstOf(samePlace(def), elementOf);
}

function wordsOf(schema: z.ZodType): unknown[] {
  const def = defOf(schema);
  return [...Object.values(def.entries ?? {}), ...(def.values ?? []), ...samePlace(def).flatMap(wordsOf)];
}

function firstOf<T>(schemas: readonly z.ZodType[], find: (schema: z.ZodType) => T | undefined): T | undefined {
  for (const schema of schemas) {
    const found = find(schema);
    if (found !== undefined) return found;
  }
  return undefined;
}
