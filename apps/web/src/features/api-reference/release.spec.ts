import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ApiDocument, exampleOf, type JsonSchema } from './api-document';
import { curlCommand } from './curl';
import { type Operation, searchSections, sectionsOf } from './operations';
import { shapeOf } from './schema-shape';
import { nameType } from './schema-words';

const file = new URL('../../../../../docs/openapi.json', import.meta.url);
const document = ApiDocument.parse(JSON.parse(readFileSync(file, 'utf8')));
const sections = sectionsOf(document);
const operations = sections.flatMap((section) => section.operations);
const { schemas } = document.components;

/** What a shell makes of the commands: for each the arguments of curl. */
function runInShell(commands: readonly string[]): string[][] {
  const script = [String.raw`curl() { printf '%s\0' "$@"; printf '\n\0'; }`, ...commands].join('\n');
  const env = { VIGIE_URL: 'https://vigie.exemple.fr', VIGIE_TOKEN: 'vgt_x' };
  const output = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' });
  return output.split('\n\0').map((line) => line.split('\0').slice(0, -1));
}

it('shows every route of this release under a subject with a title', () => {
  expect(operations.length).toBeGreaterThan(150);
  expect(sections.filter(({ name, title }) => name === title)).toEqual([]);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
});

it('makes of each a command that a shell reads as it is meant', () => {
  const lines = runInShell(operations.map(curlCommand));
  const wrong = operations.filter((operation, index) => !isMeant(operation, lines[index] ?? []));
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

function isMeant({ method, requestBody, security }: Operation, line: readonly string[]): boolean {
  const option = (name: string) => line[line.indexOf(name) + 1] ?? '';
  const media = requestBody?.content?.['application/json'];
  const address = line.find((part) => part.startsWith('https://vigie.exemple.fr/api/')) ?? '{';
  const isPost = line.includes('--json') || line.includes('--form');
  return (
    !address.includes('{') &&
    (line.includes('-X') ? option('-X') : isPost ? 'POST' : 'GET') === method &&
    (security?.length === 0) === !line.includes('Authorization: Bearer vgt_x') &&
    (!media || option('--json').replaceAll(/\s/g, '') === JSON.stringify(exampleOf(media)).replaceAll(/\s/g, ''))
  );
}

it('names the type of each field', () => {
  const nameAll = (schema: JsonSchema, depth: number): string[] => {
    const shape = depth > 4 ? undefined : shapeOf(schema, schemas);
    const parts = !shape ? [] : 'fields' in shape ? shape.fields : shape.variants;
    return [nameType(schema, schemas), ...parts.flatMap((part) => nameAll(part.schema, depth + 1))];
  };
  const names = Object.values(schemas).flatMap((schema) => nameAll(schema, 0));
  expect(names.filter((name) => name === '' || /undefined|\[object/.test(name))).toEqual([]);
});

it.each([
  ['comment sauvegarder un site par l’API', 'sites.backups.create'],
  ['restaurer une sauvegarde', 'sites.backups.restore'],
  ['lister les sites', 'sites.sites.list'],
  ['créer un jeton', 'auth.tokens.create'],
])('finds first what is asked for: %s', (q, id) => {
  expect(searchSections(sections, q)[0]?.operations[0]?.id).toBe(id);
});
