import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { readSettings } from './env';
import { migrate, serviceEnv, services, withoutLogin } from './services';

const servers = {
  databaseUrl: 'postgres://admin:secret@127.0.0.1:5000/vigie?sslmode=disable',
  redisUrl: 'redis://:r@127.0.0.1:5001',
  natsUrl: 'nats://u:n@127.0.0.1:5002',
};

function surroundings(given: NodeJS.ProcessEnv) {
  return { settings: readSettings({ VIGIE_HOME: '/state', ...given }), port: 8081, servers };
}

it('takes name and password out of a database address, wherever they stand', () => {
  expect(withoutLogin(servers.databaseUrl)).toBe('postgres://127.0.0.1:5000/vigie?sslmode=disable');
  expect(withoutLogin('postgres://h/vigie?user=a&password=b&sslmode=require')).toBe(
    'postgres://h/vigie?sslmode=require',
  );
});

it('gives a database address without rights to those that have a database, none to the others', () => {
  expect(serviceEnv('sites-svc', surroundings({}))).toMatchObject({ DATABASE_URL: withoutLogin(servers.databaseUrl) });
  for (const service of ['gateway', 'ssh-agent'] as const) {
    const given = { DATABASE_URL: servers.databaseUrl, DATABASE_URL_FILE: fileURLToPath(import.meta.url) };
    const env = serviceEnv(service, surroundings(given));
    expect(Object.keys(env).filter((name) => name.startsWith('DATABASE_URL'))).toEqual([]);
  }
});

it('shows the first password to auth-svc alone', () => {
  const around = surroundings({ VIGIE_ADMIN_EMAIL: 'a@b', VIGIE_ADMIN_PASSWORD_FILE: '/run/password' });
  expect(serviceEnv('auth-svc', around)).toMatchObject({
    VIGIE_ADMIN_EMAIL: 'a@b',
    VIGIE_ADMIN_PASSWORD_FILE: '/run/password',
  });
  expect(Object.keys(serviceEnv('gateway', around)).filter((name) => name.includes('ADMIN'))).toEqual([]);
});

it('gives the gateway its port, and each process the path of its own keys', () => {
  const around = surroundings({ PORT: '0', VIGIE_METRICS_PORT: '9100' });
  expect(serviceEnv('gateway', around)).toMatchObject({ PORT: '8081', HOST: '127.0.0.1', VIGIE_METRICS_PORT: '9100' });
  expect(serviceEnv('dns-svc', around)).toMatchObject({ VIGIE_KEYS_FILE: '/state/keys/dns-svc.json' });
  const ports = services.map((service) => serviceEnv(service, around)['VIGIE_METRICS_PORT']);
  expect(ports).toEqual(['9100', '9101', '9102', '9103', '9104']);
  expect(serviceEnv('dns-svc', surroundings({}))).not.toHaveProperty('VIGIE_METRICS_PORT');
  expect(serviceEnv('dns-svc', around)).not.toHaveProperty('PORT');
});

it('names the store of files to those that use it', () => {
  const around = surroundings({});
  expect(serviceEnv('gateway', around)).toMatchObject({ VIGIE_STORE: 'file:///state/store' });
  expect(serviceEnv('ssh-agent', around)).toMatchObject({ VIGIE_STORE: 'file:///state/store' });
  expect(serviceEnv('sites-svc', surroundings({ VIGIE_STORE: 'file:///srv/vigie' }))).toMatchObject({
    VIGIE_STORE: 'file:///srv/vigie',
  });
});

it('gives the agents threads enough for names that nobody answers for', () => {
  expect(serviceEnv('ssh-agent', surroundings({}))).toMatchObject({ UV_THREADPOOL_SIZE: '64' });
  expect(serviceEnv('ssh-agent', surroundings({ UV_THREADPOOL_SIZE: '128' }))['UV_THREADPOOL_SIZE']).toBe('128');
  expect(serviceEnv('auth-svc', surroundings({}))).not.toHaveProperty('UV_THREADPOOL_SIZE');
});

it('gives the credentials of a store in S3 to those that use it, and what seals backups to nobody', () => {
  const around = surroundings({ AWS_SECRET_ACCESS_KEY: 'x', VIGIE_BACKUP_PASSPHRASE_FILE: '/run/pass' });
  expect(serviceEnv('ssh-agent', around)).toHaveProperty('AWS_SECRET_ACCESS_KEY');
  for (const service of ['auth-svc', 'dns-svc'] as const)
    expect(serviceEnv(service, around)).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
  for (const service of ['gateway', 'sites-svc'] as const)
    expect(serviceEnv(service, around)).not.toHaveProperty('VIGIE_BACKUP_PASSPHRASE_FILE');
});

it('tells of a migration that failed when none is at work any more', async () => {
  const folder = testFolder('migrate');
  const [failed, over] = [join(folder, 'failed'), join(folder, 'over')];
  // In the place of the steps themselves.
  const does = {
    'auth-svc': `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(failed)}, '');
      process.exit(1);`,
    'dns-svc': `import { existsSync, writeFileSync } from 'node:fs';
      const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      while (!existsSync(${JSON.stringify(failed)})) await later(10);
      await later(300);
      writeFileSync(${JSON.stringify(over)}, '');
      process.exit();`,
  };
  const insteadOf = (service: string) => {
    const program = join(folder, `${service}.mjs`);
    writeFileSync(program, does[service as keyof typeof does]);
    return { NODE_OPTIONS: `--import=${program}` };
  };
  await expect(migrate(surroundings({}), ['auth-svc', 'dns-svc'], insteadOf)).rejects.toThrow('auth-svc a échoué');
  expect(existsSync(over)).toBe(true);
});
