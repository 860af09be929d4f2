import type { Contract } from '@vigie/contracts/contract';
import { hasBody as carriesBody } from '@vigie/contracts/routes';
import { composeExample } from './examples';
import { type DescribedError, errorAnswers } from './error-answers';
import { accessNote } from './access-notes';
import type { DescribedEndpoint } from './endpoints';
import type { Header, Media, Operation, Parameter, Response, Schema } from './document-types';
import type { Description } from './descriptions/description';
import { refsIn } from './schemas';

type Components = Readonly<Record<string, Schema>>;
type Described = DescribedEndpoint & { text: Description; tag: string };

const isPublic = ({ access }: Contract) => access === 'public' || access === 'ticket';
const hasBody = ({ contract, endpoint }: DescribedEndpoint) => carriesBody(endpoint.method, contract);
const isJob = ({ answer, name }: Contract) =>
  (typeof answer === 'object' && 'job' in answer) || name === 'sites.sites.inventory';

/** Names of their own for the routes of one contract, which differ by the fields that they set. */
export const operationIdOf = ({ contract, endpoint }: Pick<DescribedEndpoint, 'contract' | 'endpoint'>): string =>
  [contract.name, ...(contract.endpoints.length > 1 ? Object.values(endpoint.fixedFields).slice(0, 1) : [])].join('.');

export function describeOperation(described: Described, components: Components): Operation {
  const { contract, endpoint, text, tag } = described;
  const { access = 'user', scope, grantRole } = contract;
  const summary = text.summaries?.[`${endpoint.method} ${endpoint.path}`] ?? text.summary;
  return {
    operationId: operationIdOf(described),
    tags: [tag],
    summary,
    description: [text.description, bodyNote(contract), accessNote(contract)].filter(Boolean).join('\n\n'),
    'x-access': access,
    ...(scope && { 'x-scope': scope }),
    ...(grantRole && { 'x-grant-role': grantRole }),
    security: isPublic(contract) ? [] : access === 'guest' ? [{}, { bearerAuth: [] }] : [{ bearerAuth: [] }],
    parameters: [
      ...pathParameters(described),
      ...queryParameters(described),
      ...headerParameters(contract, endpoint.method),
    ],
    ...requestBody(described, components),
    responses: { ...successes(described, components), ...errorsOf(described, components) },
  };
}

function parameterOf(place: 'path' | 'query', name: string, required: boolean, property: Schema): Parameter {
  const { description = '', examples, ...schema } = property;
  return { name, in: place, required, description, schema, ...(examples && { example: examples[0] }) };
}

const pathParameters = ({ pathFields, path }: DescribedEndpoint): Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameterOf('path', name, true, pathFields[name] ?? {}));

function queryParameters(described: DescribedEndpoint): Parameter[] {
  const { fields, contract } = described;
  // The form of an upload has its file alone, so that its other fields stand in the address.
  if (hasBody(described) && !contract.takesFile) return [];
  const { properties = {}, required = [] } = fields;
  return Object.entries(properties).map(([name, property]) =>
    parameterOf('query', name, required.includes(name), property),
  );
}

const idempotent: readonly string[] = [
  'dns.changes.apply',
  'dns.zone_files.import',
  'dns.history.revert',
  'sites.deliveries.resend',
  'sites.jobs.retry',
  'sites.site_batches.delete',
  'sites.site_batches.group',
];

const bodyNote = ({ bodyLimit }: Contract) =>
  bodyLimit === undefined ? undefined : `Le corps peut avoir ${bodyLimit / 1024}\u00a0Ko.`;

/** Calls that remember their `Idempotency-Key`: those that create something or start work. */
const isRepeatable = ({ answer, status, name }: Contract) =>
  (status === 201 && !['auth.passkeys.create', 'auth.sessions.signup', 'sites.grants.create'].includes(name)) ||
  answer === 'ticket' ||
  (typeof answer === 'object' && 'job' in answer) ||
  idempotent.includes(name);

const header = (name: string, description: string, schema: Schema, example: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
  example,
});

const adminMode = header(
  'X-Admin-Mode',
  'Pour un administrateur\u00a0: `1` étend la requête à ce qui appartient aux autres.',
  { type: 'string', enum: ['1'] },
  '1',
);
const prefer = header(
  'Prefer',
  '`respond-async` répond tout de suite par le ticket de la tâche (202), sans attendre sa fin.',
  { type: 'string' },
  'respond-async',
);
const idempotencyKey = header(
  'Idempotency-Key',
  'Une clé que vous inventez, retenue un jour\u00a0: la même requête, répétée avec elle, ne fait rien deux fois.',
  { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
  '5f1c9a40-demande-du-28-novembre',
);

const seesOthers = ({ access = 'public', name }: Contract) =>
  !['public', 'guest', 'ticket', 'admin'].includes(access) && /^(?:sites|dns)\.|tokens/.test(name);

const headerParameters = (contract: Contract, method: string): Parameter[] => [
  ...(seesOthers(contract) ? [adminMode] : []),
  ...(isJob(contract) ? [prefer] : []),
  ...(method === 'POST' && isRepeatable(contract) ? [idempotencyKey] : []),
];

function requestBody(described: Described, components: Components): Pick<Operation, 'requestBody'> {
  const { contract, fields, text } = described;
  if (contract.takesFile) {
    const file = { type: 'string', format: 'binary', description: 'L’archive, seul champ du formulaire.' };
    const schema = { type: 'object', required: ['file'], properties: { file: { ...file, examples: ['archive.zip'] } } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  const isEmpty = fields.$ref === undefined && Object.keys(fields.properties ?? {}).length === 0;
  if (!hasBody(described) || isEmpty) return {};
  const whole = fields.$ref === undefined ? fields : (components[fields.$ref.split('/').at(-1) ?? ''] ?? {});
  const example = text.request ?? composeExample(fields, components);
  const required = (whole.required ?? []).length > 0;
  return { requestBody: { required, content: { 'application/json': { schema: fields, example } } } };
}

const location: Header = {
  description: 'L’adresse de la tâche, à relire jusqu’à sa fin.',
  schema: { type: 'string', examples: ['/api/jobs/01932c07-2a00-7c3a-9f1e-5d7a6b0c4e21'] },
};

function successes(described: Described, components: Components): Record<string, Response> {
  const { contract, answer, text } = described;
  const { status } = contract;
  if (status === 204) return { 204: { description: 'C’est fait\u202f; il n’y a rien à lire.' } };
  const example = text.answer ?? composeExample(answer, components);
  const json: Record<string, Media> = { 'application/json': { schema: answer, example } };
  const description = text.success ?? 'La réponse.';
  if (contract.answer === 'ticket') {
    return { 202: { description: 'Le ticket de la tâche, qui a été acceptée.', headers: { location }, content: json } };
  }
  const headers = countHeaders(contract);
  const success = { description, ...(headers && { headers }), content: text.media?.(example) ?? json };
  return {
    [status]: success,
    ...(isJob(contract) && { 202: ticketAnswer }),
    ...text.successes,
  };
}

const ticketAnswer: Response = {
  description: 'La tâche n’est pas finie\u00a0: voici son ticket.',
  headers: { location },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/JobTicket' },
      example: { job_id: '01932c07-2a00-7c3a-9f1e-5d7a6b0c4e21', state: 'running' },
    },
  },
};

/** The numbers of a list, which travel beside it. */
function countHeaders({ answer, output }: Contract): Record<string, Header> | undefined {
  const number = (description: string): Header => ({ description, schema: { type: 'integer', examples: [2] } });
  const total = { 'x-total-count': number('Le nombre d’éléments de toute la liste.') };
  if (typeof answer === 'object' && 'pages' in answer) return total;
  if (answer !== 'list') return undefined;
  const isOffline = 'shape' in output && Object.hasOwn(Object(output.shape), 'offline');
  return { ...total, ...(isOffline && { 'x-offline-count': number('Combien de ces serveurs ne répondent pas.') }) };
}

/** Whether a schema takes the id of something, which may not exist or not be seen. */
function namesObject(schema: Schema, components: Components): boolean {
  if (schema.format === 'uuid') return true;
  const refs = refsIn(schema).map((name) => components[name] ?? {});
  const parts = [schema.items, schema.anyOf, schema.oneOf, Object.values(schema.properties ?? {}), refs];
  return parts.flat().some((part) => part !== undefined && namesObject(part, components));
}

function errorsOf(described: Described, components: Components): Record<string, Response> {
  const { contract, text, path, fields } = described;
  const codes: DescribedError[] = ['invalid', 'too_many', 'internal', 'unavailable'];
  if (!isPublic(contract) && contract.access !== 'guest') codes.push('unauthorized', 'forbidden');
  if (path.includes('{') || namesObject(fields, components)) codes.push('not_found');
  if (hasBody(described)) codes.push('too_large', 'unsupported_type', 'schema');
  else if (Object.keys(fields.properties ?? {}).length > 0) codes.push('schema');
  if (isJob(contract)) codes.push('conflict', 'remote_failed', 'remote_too_slow');
  const errors = new Map<DescribedError, string | undefined>(codes.map((code) => [code, undefined]));
  for (const [code, sentence] of Object.entries(text.errors ?? {})) errors.set(code as DescribedError, sentence);
  return errorAnswers(errors);
}
