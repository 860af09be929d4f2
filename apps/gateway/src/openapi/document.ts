import { tags } from './descriptions/all';
import type { Description } from './descriptions/description';
import type { Document, Operation } from './document-types';
import { describeEndpoints } from './endpoints';
import { errorResponses, errorSchema } from './error-answers';
import { fields } from './fields/all';
import { Glossary } from './glossary';
import { describeOperation } from './operations';
import { otherRoutes } from './other-routes';
import { overview } from './overview';

const bearerAuth = {
  type: 'http',
  scheme: 'bearer',
  description: 'Un jeton (`vgt_…`) ou le porteur d’une session, tel que la connexion le donne.',
};

/** That of the API, which changes by adding: not the release, which changes for other reasons. */
const apiVersion = '1';

/** The OpenAPI document of all contracts and of the routes without one: the same text in every process. */
export function buildDocument(glossary = new Glossary(fields)): Document {
  const { endpoints, components } = describeEndpoints(glossary, ['JobTicket', 'Readiness']);
  const schemas = { ...components, Error: errorSchema };
  const paths: Record<string, Record<string, Operation>> = structuredClone(otherRoutes);
  for (const part of endpoints) {
    const { text, tag } = descriptionOf(part.contract.name);
    const operation = describeOperation({ ...part, text, tag }, schemas);
    paths[part.path] = { ...paths[part.path], [part.endpoint.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Vigie', version: apiVersion, description: overview },
    servers: [{ url: '/', description: 'L’adresse où Vigie est ouverte.' }],
    tags: tags.map(({ name, title, about }) => ({ name, 'x-displayName': title, description: about })),
    // The order of the contracts in their modules is the bundler's own.
    paths: sortKeys(Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, sortKeys(methods)]))),
    components: { securitySchemes: { bearerAuth }, schemas: sortKeys(schemas), responses: errorResponses },
  };
}

const noDescription: Description = { summary: '' };

/** A contract without a description is found by the test. */
function descriptionOf(contract: string): { text: Description; tag: string } {
  const tag = tags.find(({ descriptions }) => Object.hasOwn(descriptions, contract));
  return { text: tag?.descriptions[contract] ?? noDescription, tag: tag?.name ?? 'system' };
}

const sortKeys = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));
