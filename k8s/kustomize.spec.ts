import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { render } from './kustomize';

let folder: string;
beforeEach(() => void (folder = testFolder('kustomize')));

const agent = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: agent }
spec:
  template:
    metadata: { labels: {} }
    spec: { containers: [{ name: a, image: vigie/agent, env: [{ name: A }, { name: B }] }] }
`;

function renderWith(fields: object, manifest = agent) {
  writeFileSync(join(folder, 'agent.yaml'), manifest);
  const kustomization = { apiVersion: 'v1', kind: 'Kustomization', resources: ['agent.yaml'], ...fields };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return JSON.stringify(render(folder));
}
const renderPatched = (patch: unknown, target: object | null = { kind: 'Deployment' }) =>
  renderWith({ patches: [{ patch: JSON.stringify(patch), ...(target && { target }) }] });
const env = '/spec/template/spec/containers/0/env';

it('adds, replaces and removes the fields that a patch names', () => {
  expect(renderPatched([{ op: 'add', path: `${env}/-`, value: 1 }])).toContain('[{"name":"A"},{"name":"B"},1]');
  expect(renderPatched([{ op: 'add', path: `${env}/0`, value: 1 }])).toContain('[1,{"name":"A"},{"name":"B"}]');
  expect(renderPatched([{ op: 'replace', path: `${env}/1`, value: 1 }])).toContain('[{"name":"A"},1]');
  expect(renderPatched([{ op: 'remove', path: `${env}/0` }])).toContain('"env":[{"name":"B"}]');
  expect(renderPatched([{ op: 'add', path: '/metadata/labels', value: { 'a/b': 1 } }])).toContain('"labels":{"a/b":1}');
});

it('merges a patch into the existing resource', () => {
  const merged = renderPatched({ kind: 'Deployment', metadata: { name: 'agent', labels: { a: 'b' } } }, null);
  expect(merged).toContain('"metadata":{"name":"agent","labels":{"a":"b"}}');
  expect(merged).toContain('"containers"');
});

it('removes a resource that a patch deletes', () => {
  const patch = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'agent' }, $patch: 'delete' };
  expect(renderPatched(patch, null)).toBe('[]');
});

it('sets images, replicas and the namespace', () => {
  const images = [{ name: 'vigie/agent', newName: 'registry:5000/vigie/agent', newTag: '2' }];
  const output = renderWith({ images, replicas: [{ name: 'agent', count: 3 }], namespace: 'vigie' });
  expect(output).toContain('"image":"registry:5000/vigie/agent:2"');
  expect(output).toContain('"replicas":3');
  expect(output).toContain('"namespace":"vigie"');
});

it('reads numbers as kubectl does', () => {
  expect(renderWith({}, agent.replace('{ labels: {} }', '{ labels: {}, mode: 0440 }'))).toContain('"mode":288');
});

it.each([
  ['an unknown key', () => renderWith({ namePrefix: 'a-' })],
  ['a patch that matches no resource', () => renderPatched([], { kind: 'StatefulSet' })],
  ['operations without a target', () => renderPatched([{ op: 'remove', path: env }], null)],
  ['a path that does not exist', () => renderPatched([{ op: 'add', path: '/spec/nowhere/a', value: 1 }])],
  ['the removal of a missing field', () => renderPatched([{ op: 'remove', path: '/spec/nowhere' }])],
  ['an unknown operation', () => renderPatched([{ op: 'move', path: env, from: '/spec' }])],
  ['a list to merge', () => renderPatched({ kind: 'Deployment', metadata: { name: 'agent', finalizers: [] } }, null)],
  [
    'an unknown merge directive',
    () => renderPatched({ kind: 'Deployment', metadata: { name: 'agent', $patch: 'replace' } }, null),
  ],
  ['an image that no container runs', () => renderWith({ images: [{ name: 'vigie/other', newTag: '2' }] })],
  ['replicas of a missing deployment', () => renderWith({ replicas: [{ name: 'other', count: 2 }] })],
  ['a duplicate resource', () => renderWith({ resources: ['agent.yaml', 'agent.yaml'] })],
  ['a duplicate key', () => renderWith({}, `${agent}\nspec: {}\n`)],
])('refuses %s', (_, make) => {
  expect(make).toThrow();
});
