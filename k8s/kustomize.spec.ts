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

function rendered(said: object, manifest = agent) {
  writeFileSync(join(folder, 'agent.yaml'), manifest);
  const kustomization = { apiVersion: 'v1', kind: 'Kustomization', resources: ['agent.yaml'], ...said };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return JSON.stringify(render(folder));
}
const patched = (patch: unknown, target: object | null = { kind: 'Deployment' }) =>
  rendered({ patches: [{ patch: JSON.stringify(patch), ...(target && { target }) }] });
const env = '/spec/template/spec/containers/0/env';

it('adds, replaces and removes what a patch names', () => {
  expect(patched([{ op: 'add', path: `${env}/-`, value: 1 }])).toContain('[{"name":"A"},{"name":"B"},1]');
  expect(patched([{ op: 'add', path: `${env}/0`, value: 1 }])).toContain('[1,{"name":"A"},{"name":"B"}]');
  expect(patched([{ op: 'replace', path: `${env}/1`, value: 1 }])).toContain('[{"name":"A"},1]');
  expect(patched([{ op: 'remove', path: `${env}/0` }])).toContain('"env":[{"name":"B"}]');
  expect(patched([{ op: 'add', path: '/metadata/labels', value: { 'a/b': 1 } }])).toContain('"labels":{"a/b":1}');
});

it('merges what a patch says into what is there', () => {
  const merged = patched({ kind: 'Deployment', metadata: { name: 'agent', labels: { a: 'b' } } }, null);
  expect(merged).toContain('"metadata":{"name":"agent","labels":{"a":"b"}}');
  expect(merged).toContain('"containers"');
});

it('takes away what a patch deletes', () => {
  const gone = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'agent' }, $patch: 'delete' };
  expect(patched(gone, null)).toBe('[]');
});

it('names images, numbers and the namespace', () => {
  const images = [{ name: 'vigie/agent', newName: 'registry:5000/vigie/agent', newTag: '2' }];
  const made = rendered({ images, replicas: [{ name: 'agent', count: 3 }], namespace: 'vigie' });
  expect(made).toContain('"image":"registry:5000/vigie/agent:2"');
  expect(made).toContain('"replicas":3');
  expect(made).toContain('"namespace":"vigie"');
});

it('reads numbers as kubectl does', () => {
  expect(rendered({}, agent.replace('{ labels: {} }', '{ labels: {}, mode: 0440 }'))).toContain('"mode":288');
});

it.each([
  ['a word that it does not know', () => rendered({ namePrefix: 'a-' })],
  ['a patch of nobody', () => patched([], { kind: 'StatefulSet' })],
  ['operations on nobody in particular', () => patched([{ op: 'remove', path: env }], null)],
  ['a place that is not there', () => patched([{ op: 'add', path: '/spec/nowhere/a', value: 1 }])],
  ['the removal of what is not there', () => patched([{ op: 'remove', path: '/spec/nowhere' }])],
  ['an operation that it does not know', () => patched([{ op: 'move', path: env, from: '/spec' }])],
  ['a list to merge', () => patched({ kind: 'Deployment', metadata: { name: 'agent', finalizers: [] } }, null)],
  [
    'a directive of a merge that it does not know',
    () => patched({ kind: 'Deployment', metadata: { name: 'agent', $patch: 'replace' } }, null),
  ],
  ['an image that nobody runs', () => rendered({ images: [{ name: 'vigie/other', newTag: '2' }] })],
  ['replicas of nobody', () => rendered({ replicas: [{ name: 'other', count: 2 }] })],
  ['the same thing twice', () => rendered({ resources: ['agent.yaml', 'agent.yaml'] })],
  ['a key that is said twice', () => rendered({}, `${agent}\nspec: {}\n`)],
])('refuses %s', (_, make) => {
  expect(make).toThrow();
});
