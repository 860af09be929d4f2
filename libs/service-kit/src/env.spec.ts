import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { testFolder } from '@vigie/testing/test-folder';
import { baseEnv, databaseEnv, readEnv } from './env';

const schema = z.object({ ...baseEnv, ...databaseEnv });
const good = { VIGIE_KEYS_FILE: '/k', NATS_URL: 'nats://h:1', DATABASE_URL: 'postgres://h/d' };

it('reads the required variables, and fills in the defaults', () => {
  const defaults = {
    VIGIE_STOP_SECONDS: 6,
    VIGIE_LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    OTEL_EXPORTER_OTLP_HEADERS: '',
  };
  expect(readEnv(schema, good)).toEqual({ env: { ...good, ...defaults } });
});

it('names every bad variable at once, and no value', () => {
  const read = readEnv(schema, { NATS_URL: 'http://secret', DATABASE_URL: '', VIGIE_LOG_LEVEL: 'loud' });
  const reasons = 'refused' in read ? read.refused : [];
  expect(reasons.map((line) => line.split(':')[0])).toEqual([
    'VIGIE_KEYS_FILE',
    'NATS_URL',
    'VIGIE_LOG_LEVEL',
    'DATABASE_URL',
  ]);
  expect(reasons.join()).not.toContain('secret');
});

it('refuses headers that are not percent-encoded, and says so', () => {
  const read = (OTEL_EXPORTER_OTLP_HEADERS: string) => readEnv(schema, { ...good, OTEL_EXPORTER_OTLP_HEADERS });
  expect(read('a=50%,b=c%20d')).toEqual({
    refused: [expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS: must be .* percent-encoded/)],
  });
  expect(read('a=50%25,b=c%20d')).toMatchObject({ env: { OTEL_EXPORTER_OTLP_HEADERS: 'a=50%25,b=c%20d' } });
});

it('reads a secret from the file that a _FILE variable names, and reports a missing file', () => {
  const file = join(testFolder('env'), 'url');
  writeFileSync(file, 'postgres://from/file\n');
  expect(readEnv(schema, { ...good, DATABASE_URL: undefined, DATABASE_URL_FILE: file })).toMatchObject({
    env: { DATABASE_URL: 'postgres://from/file' },
  });
  expect(readEnv(schema, { ...good, DATABASE_URL_FILE: '/nowhere' })).toEqual({
    refused: ['DATABASE_URL_FILE: no file at /nowhere'],
  });
});
