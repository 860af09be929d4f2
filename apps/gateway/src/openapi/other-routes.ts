import { httpStatus } from '@vigie/contracts/errors';
import type { Access } from '@vigie/contracts/routes';
import { accessNote } from './access-notes';
import { partAnswers } from './descriptions/backups';
import { bytesMedia } from './descriptions/media';
import type { Operation, Parameter, Response } from './document-types';
import { type DescribedError, errorAnswers } from './error-answers';

const id = '01932c07-2a00-7c3a-9f1e-5d7a6b0c4e21';

type Route = Pick<Operation, 'operationId' | 'summary'> & {
  access: Access;
  about: string;
  tag?: string;
  parameters?: Parameter[];
  body?: Operation['requestBody'];
  answers: Record<string, Response>;
  errors: DescribedError[];
};

const everywhere: DescribedError[] = ['invalid', 'too_many', 'internal', 'unavailable'];

function operation({ operationId, summary, access, about, tag = 'system', ...route }: Route): Operation {
  return {
    operationId,
    tags: [tag],
    summary,
    description: [about, accessNote({ access, scope: undefined, grantRole: undefined })].filter(Boolean).join('\n\n'),
    'x-access': access,
    security: access === 'bearer' ? [{ bearerAuth: [] }] : [],
    parameters: route.parameters ?? [],
    ...(route.body && { requestBody: route.body }),
    responses: { ...route.answers, ...errorAnswers(route.errors.map((code) => [code, undefined])) },
  };
}

const readiness = (ready: boolean): Response => ({
  description: ready ? 'Tous les services répondent.' : 'Un service au moins ne répond pas.',
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Readiness' },
      example: { ready, services: { 'auth-svc': true, 'sites-svc': true, 'ssh-agent': ready, 'dns-svc': true } },
    },
  },
});

const live: Response = {
  description: 'La passerelle répond.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['live'],
        properties: { live: { type: 'boolean', description: 'Toujours vrai.', examples: [true] } },
      },
      example: { live: true },
    },
  },
};

const query = (name: string, description: string, example: unknown, required = false): Parameter => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string' },
  example,
});

const consoleParameters = (place: string): Parameter[] => [
  {
    name: 'id',
    in: 'path',
    required: true,
    description: place,
    schema: { type: 'string', format: 'uuid' },
    example: id,
  },
  query('ticket', 'Le ticket, qui ne sert qu’une fois.', 'Vb3kQ0uT7mZ1xY5cR9eW2aS4dF6gH8jK0lP3oI5uN7q', true),
  query('cols', 'La largeur du terminal, en caractères.', 80),
  query('rows', 'La hauteur du terminal, en caractères.', 24),
  query('console', 'La console à rejoindre\u202f; sans elle, une nouvelle s’ouvre.', id),
  query('site', 'Le site dans le dossier duquel une nouvelle console commence.', id),
  query('from', 'Combien d’octets de la sortie sont déjà connus.', 0),
  query('input', 'Combien d’octets d’entrée ont déjà été envoyés.', 0),
  query('client', 'La page qui se connecte, pour reconnaître son retour.', id),
];

const socket = (name: string, place: string): Operation =>
  operation({
    operationId: `gateway.consoles.open_on_${name}`,
    summary: place === 'Le serveur.' ? 'Ouvrir une console sur un serveur' : 'Ouvrir une console sur un site',
    access: 'ticket',
    tag: 'consoles',
    about: 'Un WebSocket, que seule une page de Vigie peut ouvrir\u00a0: l’en-tête `Origin` doit être le sien.',
    parameters: consoleParameters(place),
    answers: { 101: { description: 'Le WebSocket est ouvert.' } },
    errors: [...everywhere, 'unauthorized', 'forbidden', 'not_found', 'conflict', 'schema'],
  });

const document = (operationId: string, about: string): Operation =>
  operation({
    operationId,
    summary: 'Lire ce document',
    access: 'bearer',
    about,
    answers: {
      200: {
        description: 'Ce document, en OpenAPI 3.1.',
        headers: {
          etag: { description: 'La version du texte.', schema: { type: 'string', examples: ['"b1946ac9"'] } },
        },
        content: { 'application/json': { schema: { type: 'object' }, example: { openapi: '3.1.0' } } },
      },
      304: { description: 'Le texte est celui que `If-None-Match` nomme.' },
    },
    errors: [...everywhere, 'unauthorized', 'forbidden'],
  });

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const message = (example: object) => ({ 'application/json': { schema: { type: 'object' }, example } });

/** The routes that no contract describes, by path and method. */
export const otherRoutes: Readonly<Record<string, Record<string, Operation>>> = {
  '/api/health/live': {
    get: operation({
      operationId: 'gateway.health.live',
      summary: 'Savoir si la passerelle vit',
      access: 'public',
      about: 'Ne demande rien aux autres services, et n’est jamais limitée.',
      answers: { 200: live },
      errors: ['invalid', 'internal'],
    }),
  },
  '/api/health/ready': {
    get: operation({
      operationId: 'gateway.health.ready',
      summary: 'Savoir si Vigie est prête',
      access: 'public',
      about: 'Demande à chaque service s’il répond.',
      answers: { 200: readiness(true), [httpStatus.unavailable]: readiness(false) },
      errors: ['invalid', 'too_many', 'internal'],
    }),
  },
  '/api/backups/files/{token}': {
    get: operation({
      operationId: 'gateway.backups.file',
      summary: 'Télécharger une sauvegarde par un lien',
      access: 'ticket',
      tag: 'backups',
      about: 'Le lien vient de `POST …/link`. Un téléchargement interrompu se reprend par `Range`.',
      parameters: [
        {
          name: 'token',
          in: 'path',
          required: true,
          description: 'Le jeton du lien.',
          schema: { type: 'string' },
          example: 'Vb3kQ0uT7mZ1xY5cR9eW2aS4dF6gH8jK0lP3oI5uN7q',
        },
      ],
      answers: { 200: { description: 'Le fichier.', content: bytesMedia() }, ...partAnswers },
      errors: [...everywhere, 'not_found'],
    }),
  },
  '/api/mcp': {
    post: operation({
      operationId: 'gateway.mcp.answer',
      summary: 'Parler à Vigie en assistant, par MCP',
      access: 'bearer',
      tag: 'assistants',
      about:
        'Un message JSON-RPC du protocole MCP (HTTP, sans session). Les outils sont ceux que les droits du jeton permettent\u202f; ceux qui changeraient quelque chose ne font que des propositions. Un en-tête `Origin` doit être celui de Vigie.',
      body: { required: true, content: message(listTools) },
      answers: {
        200: {
          description: 'La réponse JSON-RPC\u202f; l’échec d’un outil y est dit par `isError`.',
          content: message({ jsonrpc: '2.0', id: 1, result: { tools: [] } }),
        },
        202: { description: 'Le message n’attend pas de réponse.' },
      },
      errors: [...everywhere, 'unauthorized', 'forbidden', 'too_large', 'unsupported_type', 'schema'],
    }),
  },
  '/api/servers/{id}/ws': { get: socket('server', 'Le serveur.') },
  '/api/sites/{id}/ws': { get: socket('site', 'Le site.') },
  '/api/openapi.json': { get: document('gateway.openapi.read', 'Le même pour tous.') },
  '/api/docs': { get: document('gateway.openapi.read_by_older_name', 'L’ancien nom de `/api/openapi.json`.') },
};
