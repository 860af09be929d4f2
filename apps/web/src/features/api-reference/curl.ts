import { exampleOf, type Parameter } from './api-document';
import type { Operation } from './operations';

const jsonType = 'application/json';
/** Longer JSON stands on several lines. */
const maxLineLength = 60;

/** Within single quotes, a shell leaves everything as it is but a single quote. */
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The example of a parameter, or of its schema. */
export const parameterExample = ({ example, schema }: Parameter): unknown =>
  example ?? schema?.example ?? schema?.examples?.[0];

const textOfValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The address of an operation with the examples of what it needs. */
function addressOf({ path, parameters }: Operation): string {
  const textOf = (parameter: Parameter) =>
    encodeURIComponent(textOfValue(parameterExample(parameter) ?? parameter.name));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, () => textOf(parameter)), path);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${textOf(parameter)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function bodyOptions({ requestBody }: Operation): string[] {
  const content = requestBody?.content ?? {};
  if (content['multipart/form-data']) return ['--form file=@archive.zip'];
  const media = content[jsonType];
  if (!media) return [];
  const example = exampleOf(media) ?? {};
  const line = JSON.stringify(example);
  return [`--json ${quote(line.length > maxLineLength ? JSON.stringify(example, null, 2) : line)}`];
}

/** An answer that is no text would fill the terminal. */
function outputOptions({ answers }: Operation): string[] {
  const success = answers.find(({ status }) => status.startsWith('2'))?.answer;
  const types = Object.keys(success?.content ?? {});
  const isText = types.every((type) => type === jsonType || type.startsWith('text/'));
  return isText ? [] : ['--output fichier'];
}

/** The command that makes a call, with the address and the token of the reader in variables of the shell. */
export function curlCommand(operation: Operation): string {
  const body = bodyOptions(operation);
  // curl posts what has a body, and gets the rest.
  const usual = body.length > 0 ? 'POST' : 'GET';
  const method = operation.method === usual ? '' : ` -X ${operation.method}`;
  // An empty list of ways to authenticate: the call needs neither a session nor a token.
  const token = operation.security?.length === 0 ? [] : ['--header "Authorization: Bearer $VIGIE_TOKEN"'];
  return [`curl${method} "$VIGIE_URL${addressOf(operation)}"`, ...token, ...body, ...outputOptions(operation)].join(
    ' \\\n  ',
  );
}
