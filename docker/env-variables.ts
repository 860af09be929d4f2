import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** Variables of Node itself that the manifests may set. */
export const nodeVariables = ['NODE_EXTRA_CA_CERTS', 'UV_THREADPOOL_SIZE'];

type EnvVariables = { all: string[]; required: string[] };

/** Variables that the S3 client reads itself, in every process that has a store. */
export const bucketVariables = ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_REGION', 'AWS_ENDPOINT_URL_S3'];

/** Reads the variables of an app's env.ts, including the groups of service-kit that it spreads. */
export function readAppVariables(app: string): EnvVariables {
  const source = read(`apps/${app}/src/env.ts`);
  const groups = [...source.matchAll(/^\s+\.\.\.(\w+),$/gm)].map(([, group]) => readGroup(group ?? ''));
  const own = parseVariables(source, source);
  const buckets = own.all.includes('VIGIE_STORE') ? bucketVariables : [];
  return mergeVariables([own, ...groups, { all: buckets, required: [] }]);
}

export const toolVariables: EnvVariables = {
  all: ['DATABASE_URL', 'VIGIE_STORE', 'VIGIE_HOME', 'VIGIE_BACKUP_PASSPHRASE', 'HOME', ...bucketVariables],
  required: [],
};

/** Reads the variables of a migrate step, as `migrateFromEnv` does. */
export function readMigrationVariables(): EnvVariables {
  const { required } = readGroup('baseEnv');
  return mergeVariables([
    readGroup('databaseEnv'),
    { all: ['VIGIE_KEYS_FILE'], required: required.filter((name) => name === 'VIGIE_KEYS_FILE') },
  ]);
}

function readGroup(group: string): EnvVariables {
  const source = read('libs/service-kit/src/env.ts');
  const [declared = ''] = new RegExp(`export const ${group} = \\{[^]*?\\};?$`, 'm').exec(source) ?? [];
  return parseVariables(declared, source);
}

/** A variable is required unless its schema, or the constant that it names, has a default or is optional. */
function parseVariables(text: string, source: string): EnvVariables {
  // A long declaration continues on lines that begin with a call.
  const declared = [...text.matchAll(/(?:^\s+|\{ )([A-Z][A-Z_]+): ([^\n]+(?:\n\s+\.[^\n]+)*)/gm)];
  const isRequired = (schema: string): boolean => {
    const [, constant] = /^(\w+),$/.exec(schema) ?? [];
    if (constant === undefined) return !/\.(?:default|optional)\(/.test(schema);
    const [declaration = ''] = new RegExp(`const ${constant} = [^;]*;`).exec(source) ?? [];
    return isRequired(declaration);
  };
  return {
    all: declared.map(([, name]) => name ?? ''),
    required: declared.flatMap(([, name, schema]) => (isRequired(schema ?? '') ? (name ?? '') : [])),
  };
}

const mergeVariables = (sets: readonly EnvVariables[]): EnvVariables => ({
  all: sets.flatMap(({ all }) => all),
  required: sets.flatMap(({ required }) => required),
});
