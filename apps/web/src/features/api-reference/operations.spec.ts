import { describe, expect, it } from 'vitest';
import { ApiDocument } from './api-document';
import { curlCommand } from './curl';
import { type Operation, searchSections, sectionsOf } from './operations';

const secured = { security: [{ bearerAuth: [] }] };
const parameter = { name: 'id', in: 'path', required: true, example: 'a/b' };

const document = ApiDocument.parse({
  openapi: '3.1.0',
  info: { title: 'Vigie', version: '1.0.0' },
  tags: [{ name: 'backups', 'x-displayName': 'Sauvegardes' }, { name: 'empty' }, { name: 'sites' }],
  paths: {
    '/api/sites': {
      get: {
        ...secured,
        operationId: 'sites.sites.list',
        tags: ['sites'],
        summary: 'Lister les sites',
        'x-scope': 'read',
        parameters: [
          { name: 'page', in: 'query', required: true, schema: { type: 'integer', example: 2 } },
          { name: 'q', in: 'query', example: 'x' },
        ],
        responses: { 200: { description: 'Les sites.', content: { 'text/csv': {} } } },
      },
    },
    '/api/sites/{id}/backups': {
      post: {
        ...secured,
        operationId: 'sites.backups.create',
        tags: ['backups'],
        summary: 'Sauvegarder un site',
        'x-scope': 'backup',
        parameters: [parameter],
        requestBody: { content: { 'application/json': { example: { note: "l'été" } } } },
        responses: {
          404: { $ref: '#/components/responses/NotFound' },
          409: { $ref: '#/components/responses/NotFound', description: 'Occupé.' },
        },
      },
      get: { ...secured, tags: ['backups'], responses: { 200: { content: { 'application/zip': {} } } } },
    },
    '/api/auth/logout': { delete: { security: [] } },
    '/api/uploads': {
      post: { ...secured, requestBody: { content: { 'multipart/form-data': {} } } },
    },
  },
  components: { responses: { NotFound: { description: 'Introuvable.' } } },
});

const sections = sectionsOf(document);
const operations = sections.flatMap((section) => section.operations);
const find = (id: string): Operation => operations.find((operation) => operation.id === id) as Operation;
const search = (q: string) => searchSections(sections, q).flatMap((section) => section.operations.map(({ id }) => id));

describe('the operations of the document', () => {
  it('stand under their tags, in the order of the document, and no tag is empty', () => {
    expect(sections.map(({ title, operations: { length } }) => [title, length])).toEqual([
      ['Sauvegardes', 2],
      ['sites', 1],
      ['Autres', 2],
    ]);
  });

  it('have their answers in place of references, with what the document says beside these', () => {
    const { answers } = find('sites.backups.create');
    expect(answers.map(({ status, answer }) => [status, answer.description])).toEqual([
      ['404', 'Introuvable.'],
      ['409', 'Occupé.'],
    ]);
  });

  it('are named by their method and path where the document names them not', () => {
    expect(find('GET /api/sites/{id}/backups').summary).toBe('GET /api/sites/{id}/backups');
  });
});

describe('a search', () => {
  it('finds a question in words, whatever its accents, its small words and the ends of its words', () => {
    expect(search('Comment sauvegarder un site par l’API ?')).toEqual([
      'sites.backups.create',
      'GET /api/sites/{id}/backups',
    ]);
    expect(search('Sauvegardes')).toEqual(['sites.backups.create', 'GET /api/sites/{id}/backups']);
  });

  it('puts first what says it in its summary, with its subject', () => {
    expect(search('post')).toEqual(['POST /api/uploads', 'sites.backups.create']);
  });

  it('finds a path, an id and a right', () => {
    expect(search('/api/uploads')).toEqual(['POST /api/uploads']);
    expect(search('sites.sites')).toEqual(['sites.sites.list']);
    expect(search('backup post')).toEqual(['sites.backups.create']);
  });

  it('finds nothing by a word that is nowhere', () => expect(search('sauvegarder chameau')).toEqual([]));
});

describe('the command', () => {
  it('fills the path in, and keeps a quote of the body from ending it', () => {
    expect(curlCommand(find('sites.backups.create'))).toBe(
      String.raw`curl "$VIGIE_URL/api/sites/a%2Fb/backups" \
  --header "Authorization: Bearer $VIGIE_TOKEN" \
  --json '{"note":"l'\''été"}'`,
    );
  });

  it('asks by a query for what it must', () => {
    expect(curlCommand(find('sites.sites.list'))).toContain('curl "$VIGIE_URL/api/sites?page=2" \\');
  });

  it('saves what is no text, sends a file by a form, and shows no token where none is needed', () => {
    expect(curlCommand(find('GET /api/sites/{id}/backups'))).toMatch(/--output fichier$/);
    expect(curlCommand(find('POST /api/uploads'))).toMatch(/^curl "\$VIGIE_URL.+--form file=@archive.zip$/s);
    expect(curlCommand(find('DELETE /api/auth/logout'))).toBe('curl -X DELETE "$VIGIE_URL/api/auth/logout"');
  });
});
