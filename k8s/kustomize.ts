import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { containersOf, type Fields, podsOf, type Resource, type Value } from './pods';

/** kubectl reads YAML 1.1, where 0440 is octal and `on` is true. */
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

/** Renders a folder with the part of kustomize that our manifests use; refuses any other key, and patches without a match. */
export function render(folder: string): Resource[] {
  return renderFolder(folder, []);
}

function renderFolder(folder: string, inherited: Resource[]): Resource[] {
  const kustomization = Kustomization.parse(parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'), yaml));
  let resources = [...inherited, ...kustomization.resources.flatMap((path) => readResources(folder, path))];
  for (const path of kustomization.components) resources = renderFolder(join(folder, path), resources);
  for (const patch of kustomization.patches) resources = applyPatch(folder, patch, resources);
  for (const resource of resources) {
    if (kustomization.namespace !== undefined && resource.kind !== 'Namespace')
      resource.metadata['namespace'] = kustomization.namespace;
  }
  for (const { name, count } of kustomization.replicas) {
    const scaled = requireMatches(resources, `replicas of ${name}`, ({ kind, metadata }) => {
      return ['Deployment', 'StatefulSet'].includes(kind) && metadata.name === name;
    });
    for (const { spec } of scaled) (spec as Fields)['replicas'] = count;
  }
  for (const image of kustomization.images) setImage(resources, image);
  return refuseDuplicates(resources);
}

const readResources = (folder: string, path: string) =>
  path.endsWith('.yaml') ? readDocuments(join(folder, path)) : renderFolder(join(folder, path), []);

const readDocuments = (path: string) =>
  parseAllDocuments(readFileSync(path, 'utf8'), yaml).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join(', ')}`);
    return document.toJS() as Resource;
  });

function requireMatches(
  resources: readonly Resource[],
  description: string,
  matches: (resource: Resource) => boolean,
): Resource[] {
  const matching = resources.filter(matches);
  if (matching.length === 0) throw new Error(`${description}: there is none`);
  return matching;
}

function applyPatch(folder: string, patch: Patch, resources: Resource[]): Resource[] {
  const text = 'path' in patch ? readFileSync(join(folder, patch.path), 'utf8') : patch.patch;
  const kustomization: unknown = parse(text, yaml);
  const { target } = patch;
  if (Array.isArray(kustomization)) {
    if (!target) throw new Error(`operations without a target: ${text}`);
    const { kind, name = '.*' } = target;
    const matches = (pattern: string, value: string) => new RegExp(`^(?:${pattern})$`).test(value);
    const patched = requireMatches(resources, `a patch of ${kind} ${name}`, (resource) => {
      return matches(kind, resource.kind) && matches(name, resource.metadata.name);
    });
    const operations = z.array(Operation).parse(kustomization);
    for (const resource of patched) for (const operation of operations) applyOperation(resource, operation);
    return resources;
  }
  const partial = kustomization as Resource;
  const [original] = requireMatches(resources, `${partial.kind} ${partial.metadata.name}`, ({ kind, metadata }) => {
    return kind === partial.kind && metadata.name === partial.metadata.name;
  });
  if (partial['$patch'] === 'delete') return resources.filter((resource) => resource !== original);
  merge(original as Resource, partial);
  return resources;
}

/** Kubernetes merges each list by its own key, which this renderer does not know: change a list by operations. */
function merge(original: Fields, partial: Fields): void {
  for (const [name, value] of Object.entries(partial)) {
    if (name.startsWith('$')) throw new Error(`${name} is an unknown directive`);
    if (Array.isArray(value)) throw new Error(`${name}: a merge cannot change a list`);
    const existing = original[name];
    if (isFields(value) && isFields(existing)) merge(existing, value);
    else original[name] = value;
  }
}

const isFields = (value: Value | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Implements the part of RFC 6902 that our patches use. */
function applyOperation(resource: Resource, operation: Operation): void {
  const steps = operation.path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop() ?? '';
  let parent: Value | undefined = resource;
  for (const step of steps) parent = childOf(parent, step);
  const isThere = childOf(parent, last) !== undefined;
  if (parent === undefined || (operation.op !== 'add' && !isThere)) {
    throw new Error(`${resource.kind} ${resource.metadata.name} has no ${operation.path}`);
  }
  const value = structuredClone(operation.value) as Value;
  if (Array.isArray(parent)) applyListOperation(parent, last, { ...operation, value });
  else if (isFields(parent) && operation.op === 'remove') delete parent[last];
  else if (isFields(parent)) parent[last] = value;
}

function childOf(parent: Value | undefined, step: string): Value | undefined {
  if (Array.isArray(parent)) return parent[Number(step)];
  return isFields(parent) ? parent[step] : undefined;
}

function applyListOperation(list: Value[], last: string, { op, value }: Operation & { value: Value }): void {
  const index = last === '-' ? list.length : Number(last);
  list.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
}

function setImage(
  resources: readonly Resource[],
  { name, newName, newTag }: { name: string; newName?: string | undefined; newTag?: string | undefined },
): void {
  const containers = podsOf(resources)
    .flatMap(containersOf)
    .filter(({ image }) => imageName(image) === name);
  if (containers.length === 0) throw new Error(`no container has the image ${name}`);
  for (const container of containers) {
    const tag = newTag ?? container.image.slice(name.length + 1);
    container.image = `${newName ?? name}${tag && `:${tag}`}`;
  }
}

const imageName = (image: string) => image.replace(/:[^/]*$/, '');

function refuseDuplicates(resources: Resource[]): Resource[] {
  const names = resources.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);
  const duplicates = names.filter((name, parent) => names.indexOf(name) !== parent);
  if (duplicates.length > 0) throw new Error(`duplicate resources: ${duplicates.join(', ')}`);
  return resources;
}
