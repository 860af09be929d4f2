import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { readSettings } from './env';
import { allocatorEnv, migrate, serviceEnv, services, withoutLogin } from './services';

const servers = {
  databaseUrl: 'postgres://admin:secret@127.0.0.1:5000/vigie?sslmode=disable',
  redisUrl: 'redis://:r@127.0.0.1:5001',
  natsUrl: 'nats://u:n@127.0.0.1:5002',
};

function createContext(env: NodeJS.ProcessEnv) {
  return { settings: readSettings({ VIGIE_HOME: '/state', ...env }), port: 8081, servers };
}

it('removes user and password from a database address, wherever they are', () => {
  expect(withoutLogin(servers.databaseUrl)).toBe('postgres://127.0.0.1:5000/vigie?sslmode=disable');
  expect(withoutLogin('postgres://h/vigie?user=a&password=b&sslmode=require')).toBe(
    'postgres://h/vigie?sslmode=require',
  );
});

it('gives a database address without a login to the services with a database, and none to the others', () => {
  expect(serviceEnv('sites-svc', createContext({}))).toMatchObject({ DATABASE_URL: withoutLogin(servers.databaseUrl) });
  for (const service of ['gateway', 'ssh-agent'] as const) {
    const operatorEnv = { DATABASE_URL: servers.databaseUrl, DATABASE_URL_FILE: fileURLToPath(import.meta.url) };
    const env = serviceEnv(service, createContext(operatorEnv));
    expect(Object.keys(env).filter((name) => name.startsWith('DATABASE_URL'))).toEqual([]);
  }
});

it('gives the first password to auth-svc only', () => {
  const context = createContext({ VIGIE_ADMIN_EMAIL: 'a@b', VIGIE_ADMIN_PASSWORD_FILE: '/run/password' });
  expect(serviceEnv('auth-svc', context)).toMatchObject({
    VIGIE_ADMIN_EMAIL: 'a@b',
    VIGIE_ADMIN_PASSWORD_FILE: '/run/password',
  });
  expect(Object.keys(serviceEnv('gateway', context)).filter((name) => name.includes('ADMIN'))).toEqual([]);
});

it('gives the gateway its port, and each process the path of its own keys', () => {
  const context = createContext({ PORT: '0', VIGIE_METRICS_PORT: '9100' });
  expect(serviceEnv('gateway', context)).toMatchObject({ PORT: '8081', HOST: '127.0.0.1', VIGIE_METRICS_PORT: '9100' });
  expect(serviceEnv('dns-svc', context)).toMatchObject({ VIGIE_KEYS_FILE: '/state/keys/dns-svc.json' });
  const ports = services.map((service) => serviceEnv(service, context)['VIGIE_METRICS_PORT']);
  expect(ports).toEqual(['9100', '9101', '9102', '9103', '9104']);
  expect(serviceEnv('dns-svc', createContext({}))).not.toHaveProperty('VIGIE_METRICS_PORT');
  expect(serviceEnv('dns-svc', context)).not.toHaveProperty('PORT');
});

it('gives the address of the file store to the services that use it', () => {
  const context = createContext({});
  expect(serviceEnv('gateway', context)).toMatchObject({ VIGIE_STORE: 'file:///state/store' });
  expect(serviceEnv('ssh-agent', context)).toMatchObject({ VIGIE_STORE: 'file:///state/store' });
  expect(serviceEnv('sites-svc', createContext({ VIGIE_STORE: 'file:///srv/vigie' }))).toMatchObject({
    VIGIE_STORE: 'file:///srv/vigie',
  });
});

it('gives the agents enough threads for name servers that do not answer', () => {
  expect(serviceEnv('ssh-agent', createContext({}))).toMatchObject({ UV_THREADPOOL_SIZE: '64' });
  expect(serviceEnv('ssh-agent', createContext({ UV_THREADPOOL_SIZE: '128' }))['UV_THREADPOOL_SIZE']).toBe('128');
  expect(serviceEnv('auth-svc', createContext({}))).not.toHaveProperty('UV_THREADPOOL_SIZE');
});

it('bounds the memory that the allocator keeps, unless the operator chooses otherwise', () => {
  expect(serviceEnv('dns-svc', createContext({}))).toMatchObject(allocatorEnv);
  expect(serviceEnv('dns-svc', createContext({ MALLOC_ARENA_MAX: '8' }))['MALLOC_ARENA_MAX']).toBe('8');
});

it('gives S3 credentials to the services that use the store, and the backup passphrase to none', () => {
  const context = createContext({ AWS_SECRET_ACCESS_KEY: 'x', VIGIE_BACKUP_PASSPHRASE_FILE: '/run/pass' });
  expect(serviceEnv('ssh-agent', context)).toHaveProperty('AWS_SECRET_ACCESS_KEY');
  for (const service of ['auth-svc', 'dns-svc'] as const)
    expect(serviceEnv(service, context)).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
  for (const service of ['gateway', 'sites-svc'] as const)
    expect(serviceEnv(service, context)).not.toHaveProperty('VIGIE_BACKUP_PASSPHRASE_FILE');
});

it('reports a failed migration once the others have ended', async () => {
  const folder = testFolder('migrate');
  const [failed, ended] = [join(folder, 'failed'), join(folder, 'over')];
  // These programs replace the migrate steps.
  const programs = {
    'auth-svc': `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(failed)}, '');
      process.exit(1);`,
    'dns-svc': `import { existsSync, writeFileSync } from 'node:fs';
      const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      while (!existsSync(${JSON.stringify(failed)})) await later(10);
      await later(300);
      writeFileSync(${JSON.stringify(ended)}, '');
      process.exit();`,
  };
  const replaceProgram = (service: string) => {
    const program = join(folder, `${service}.mjs`);
    writeFileSync(program, programs[service as keyof typeof programs]);
    return { NODE_OPTIONS: `--import=${program}` };
  };
  await expect(migrate(createContext({}), ['auth-svc', 'dns-svc'], replaceProgram)).rejects.toThrow(
    'auth-svc a échoué',
  );
  expect(existsSync(ended)).toBe(true);
});
