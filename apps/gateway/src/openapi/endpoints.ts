import { allContracts } from '@vigie/contracts/all';
import { answerSchema } from '@vigie/contracts/answers';
import type { Contract } from '@vigie/contracts/contract';
import type { Endpoint } from '@vigie/contracts/routes';
import type { z } from 'zod';
import { componentsOf, describeSchemas, nameIn } from './schemas';
import type { Schema } from './document-types';
import type { Glossary } from './glossary';

/** A route with its contract, and the schemas of what it takes and answers. */
export type DescribedEndpoint = {
  contract: Contract;
  endpoint: Endpoint;
  /** As in OpenAPI: `/api/sites/{id}`. */
  path: string;
  /** The fields of the input that callers send, those of the path left out. */
  fields: Schema;
  pathFields: Record<string, Schema>;
  answer: Schema;
};

/** Fields of an input that callers do not send: the gateway sets them itself. */
const setByGateway: Readonly<Record<string, readonly string[]>> = {
  'auth.passkey-logins.login': ['user_agent'],
  'auth.sessions.login': ['user_agent'],
  'auth.sessions.signup': ['user_agent'],
  'sites.backups.create_upload': ['filename', 'key', 'size', 'sha256'],
  'sites.plugins.export': ['after'],
  'sites.site-csv.export': ['after'],
  'sites.site-csv.export_chosen': ['after'],
  'sites.uploads.create': ['filename', 'key', 'size', 'sha256'],
};
/** Fields that have another name in the address. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'sites.backups.compare': { other: 'with' },
};

export const routed = allContracts.filter(({ endpoints }) => endpoints.length > 0);

/** The schema of the answer without the ticket of a job, which is described by itself. */
export function resultSchema(contract: Contract): z.ZodType {
  const { answer } = contract;
  if (contract.name === 'sites.sites.inventory') return contract.output;
  return typeof answer === 'object' && 'job' in answer ? answer.job : answerSchema(contract);
}

/** Every route of a contract with its schemas, and the schemas that these refer to, all of them described. */
export function describeEndpoints(glossary: Glossary, also: readonly string[]) {
  const schemas = describeSchemas({
    input: new Map(routed.map((contract) => [`in:${contract.name}`, contract.input])),
    output: new Map(routed.map((contract) => [`out:${contract.name}`, resultSchema(contract)])),
  });
  const inputOf = ({ name }: Contract) => schemas.input.get(`in:${name}`) ?? {};
  const parts = routed.flatMap((contract) =>
    contract.endpoints.map((endpoint) => ({
      contract,
      endpoint,
      ...splitInput(contract, endpoint, inputOf(contract), schemas.input),
      answer: schemas.output.get(`out:${contract.name}`) ?? {},
    })),
  );
  const { components, rename } = componentsOf(schemas, {
    input: parts.map(({ fields, pathFields }) => [fields, pathFields]),
    output: [parts.map(({ answer }) => answer), also.map((name) => ({ $ref: `#/components/schemas/${name}` }))],
  });
  const endpoints: DescribedEndpoint[] = parts.map(({ fields, pathFields, answer, ...part }) => {
    const owner = `${part.contract.name}:`;
    return {
      ...part,
      path: part.endpoint.path.replaceAll(/:(\w+)/g, '{$1}'),
      fields: glossary.describe(rename(fields), owner),
      pathFields: glossary.describe({ properties: pathFields }, owner).properties ?? {},
      answer: glossary.describe(answer, owner),
    };
  });
  const described = Object.entries(components).map(([name, schema]) => [name, glossary.describe(schema, `${name}.`)]);
  return { endpoints, components: Object.fromEntries(described) as Record<string, Schema> };
}

function splitInput(contract: Contract, endpoint: Endpoint, input: Schema, named: ReadonlyMap<string, Schema>) {
  const whole = input.$ref === undefined ? input : (named.get(nameIn(input.$ref)) ?? {});
  const inPath = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  const omitted = new Set([...inPath, ...Object.keys(endpoint.fixedFields), ...(setByGateway[contract.name] ?? [])]);
  const properties = whole.properties ?? {};
  const names = renamed[contract.name] ?? {};
  const kept = Object.entries(properties).filter(([name]) => !omitted.has(name));
  const pathFields = Object.fromEntries(Object.entries(properties).filter(([name]) => inPath.has(name)));
  if (kept.length === Object.keys(properties).length && input.$ref !== undefined) return { fields: input, pathFields };
  const required = (whole.required ?? []).filter((name) => !omitted.has(name)).map((name) => names[name] ?? name);
  const fields: Schema = {
    type: 'object',
    properties: Object.fromEntries(kept.map(([name, schema]) => [names[name] ?? name, schema])),
    ...(required.length > 0 && { required }),
  };
  return { fields, pathFields };
}
