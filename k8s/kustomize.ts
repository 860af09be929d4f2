import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { containersOf, type Fields, podsOf, type Resource, type Value } from './pods';

/** As in kubectl: 0440 is octal, `on` is true. */
const yaml = { version: '1.1' } as const;

const Target = z.strictObject({ kind: z.string(), name: z.string().optional() });
const Patch = z.union([
  z.strictObject({ path: z.string(), target: Target.optional() }),
  z.strictObject({ patch: z.string(), target: Target.optional() }),
]);
const Kustomization = z.strictObject({
  apiVersion: z.string(),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  patches: z.array(Patch).default([]),
  replicas: z.array(z.strictObject({ name: z.string(), count: z.number() })).default([]),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string().optional() }))
    .default([]),
});
type Patch = z.infer<typeof Patch>;

const Operation = z.strictObject({
  op: z.enum(['add', 'replace', 'remove']),
  path: z.string().startsWith('/'),
  value: z.unknown().optional(),
});
type Operation = z.infer<typeof Operation>;

/** The part of kustomize that our manifests use; whatever else they say, or say of nothing, is refused. */
export function render(folder: string): Resource[] {
  return build(folder, []);
}

function build(folder: string, given: Resource[]): Resource[] {
  const said = Kustomization.parse(parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'), yaml));
  let resources = [...given, ...said.resources.flatMap((path) => read(folder, path))];
  for (const path of said.components) resources = build(join(folder, path), resources);
  for (const patch of said.patches) resources = apply(folder, patch, resources);
  for (const resource of resources) {
    if (said.namespace !== undefined && resource.kind !== 'Namespace') resource.metadata['namespace'] = said.namespace;
  }
  for (const { name, count } of said.replicas) {
    const scaled = found(resources, `replicas of ${name}`, ({ kind, metadata }) => {
      return ['Deployment', 'StatefulSet'].includes(kind) && metadata.name === name;
    });
    for (const { spec } of scaled) (spec as Fields)['replicas'] = count;
  }
  for (const image of said.images) rename(resources, image);
  return refuseTwice(resources);
}

const read = (folder: string, path: string) =>
  path.endsWith('.yaml') ? documents(join(folder, path)) : build(join(folder, path), []);

const documents = (path: string) =>
  parseAllDocuments(readFileSync(path, 'utf8'), yaml).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join(', ')}`);
    return document.toJS() as Resource;
  });

function found(resources: readonly Resource[], what: string, is: (resource: Resource) => boolean): Resource[] {
  const matching = resources.filter(is);
  if (matching.length === 0) throw new Error(`${what}: there is none`);
  return matching;
}

function apply(folder: string, patch: Patch, resources: Resource[]): Resource[] {
  const text = 'path' in patch ? readFileSync(join(folder, patch.path), 'utf8') : patch.patch;
  const said: unknown = parse(text, yaml);
  const { target } = patch;
  if (Array.isArray(said)) {
    if (!target) throw new Error(`operations on what? ${text}`);
    const { kind, name = '.*' } = target;
    const matches = (pattern: string, value: string) => new RegExp(`^(?:${pattern})$`).test(value);
    const patched = found(resources, `a patch of ${kind} ${name}`, (resource) => {
      return matches(kind, resource.kind) && matches(name, resource.metadata.name);
    });
    const operations = z.array(Operation).parse(said);
    for (const resource of patched) for (const operation of operations) operate(resource, operation);
    return resources;
  }
  const partial = said as Resource;
  const [whole] = found(resources, `${partial.kind} ${partial.metadata.name}`, ({ kind, metadata }) => {
    return kind === partial.kind && metadata.name === partial.metadata.name;
  });
  if (partial['$patch'] === 'delete') return resources.filter((resource) => resource !== whole);
  merge(whole as Resource, partial);
  return resources;
}

/** Kubernetes merges each list by a key of its own, which nobody here knows: a list wants operations. */
function merge(whole: Fields, partial: Fields): void {
  for (const [name, value] of Object.entries(partial)) {
    if (name.startsWith('$')) throw new Error(`${name} is none that we know`);
    if (Array.isArray(value)) throw new Error(`${name}: a merge says no list`);
    const there = whole[name];
    if (isFields(value) && isFields(there)) merge(there, value);
    else whole[name] = value;
  }
}

const isFields = (value: Value | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 6902, as far as we use it. */
function operate(resource: Resource, operation: Operation): void {
  const steps = operation.path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop() ?? '';
  let place: Value | undefined = resource;
  for (const step of steps) place = within(place, step);
  const isThere = within(place, last) !== undefined;
  if (place === undefined || (operation.op !== 'add' && !isThere)) {
    throw new Error(`${resource.kind} ${resource.metadata.name} has no ${operation.path}`);
  }
  const value = structuredClone(operation.value) as Value;
  if (Array.isArray(place)) operateList(place, last, { ...operation, value });
  else if (isFields(place) && operation.op === 'remove') delete place[last];
  else if (isFields(place)) place[last] = value;
}

function within(place: Value | undefined, step: string): Value | undefined {
  if (Array.isArray(place)) return place[Number(step)];
  return isFields(place) ? place[step] : undefined;
}

function operateList(list: Value[], last: string, { op, value }: Operation & { value: Value }): void {
  const index = last === '-' ? list.length : Number(last);
  list.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
}

function rename(
  resources: readonly Resource[],
  { name, newName, newTag }: { name: string; newName?: string | undefined; newTag?: string | undefined },
): void {
  const used = podsOf(resources)
    .flatMap(containersOf)
    .filter(({ image }) => nameOf(image) === name);
  if (used.length === 0) throw new Error(`no container has the image ${name}`);
  for (const container of used) {
    const tag = newTag ?? container.image.slice(name.length + 1);
    container.image = `${newName ?? name}${tag && `:${tag}`}`;
  }
}

const nameOf = (image: string) => image.replace(/:[^/]*$/, '');

function refuseTwice(resources: Resource[]): Resource[] {
  const names = resources.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);
  const twice = names.filter((name, place) => names.indexOf(name) !== place);
  if (twice.length > 0) throw new Error(`twice: ${twice.join(', ')}`);
  return resources;
}
