import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** Variables of Node itself that a process is given. */
export const ofNode = ['NODE_EXTRA_CA_CERTS', 'UV_THREADPOOL_SIZE'];

type Asked = { all: string[]; required: string[] };

/** Where the client of buckets looks by itself, in whatever has a store. */
export const ofBuckets = ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_REGION', 'AWS_ENDPOINT_URL_S3'];

/** What an app's env.ts asks for, the groups of service-kit that it spreads too. */
export function askedBy(app: string): Asked {
  const source = read(`apps/${app}/src/env.ts`);
  const spread = [...source.matchAll(/^\s+\.\.\.(\w+),$/gm)].map(([, group]) => groupOf(group ?? ''));
  const own = namesIn(source, source);
  const buckets = own.all.includes('VIGIE_STORE') ? ofBuckets : [];
  return together([own, ...spread, { all: buckets, required: [] }]);
}

/** What the tools read, and npm. */
export const askedByTools: Asked = {
  all: ['DATABASE_URL', 'VIGIE_STORE', 'VIGIE_HOME', 'VIGIE_BACKUP_PASSPHRASE', 'HOME', ...ofBuckets],
  required: [],
};

/** What a migrate step asks for: see `migrateFromEnv`. */
export function askedByMigration(): Asked {
  const { required } = groupOf('baseEnv');
  return together([
    groupOf('databaseEnv'),
    { all: ['VIGIE_KEYS_FILE'], required: required.filter((name) => name === 'VIGIE_KEYS_FILE') },
  ]);
}

function groupOf(group: string): Asked {
  const source = read('libs/service-kit/src/env.ts');
  const [declared = ''] = new RegExp(`export const ${group} = \\{[^]*?\\};?$`, 'm').exec(source) ?? [];
  return namesIn(declared, source);
}

/** One is required unless it, or the constant that it names, has a default or may be absent. */
function namesIn(text: string, source: string): Asked {
  // A long declaration goes on in lines that begin with a call.
  const declared = [...text.matchAll(/(?:^\s+|\{ )([A-Z][A-Z_]+): ([^\n]+(?:\n\s+\.[^\n]+)*)/gm)];
  const isRequired = (how: string): boolean => {
    const [, constant] = /^(\w+),$/.exec(how) ?? [];
    if (constant === undefined) return !/\.(?:default|optional)\(/.test(how);
    const [said = ''] = new RegExp(`const ${constant} = [^;]*;`).exec(source) ?? [];
    return isRequired(said);
  };
  return {
    all: declared.map(([, name]) => name ?? ''),
    required: declared.flatMap(([, name, how]) => (isRequired(how ?? '') ? (name ?? '') : [])),
  };
}

const together = (asked: readonly Asked[]): Asked => ({
  all: asked.flatMap(({ all }) => all),
  required: asked.flatMap(({ required }) => required),
});
