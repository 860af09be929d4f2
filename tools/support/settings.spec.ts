import { expect, it } from 'vitest';
import { canary } from '@vigie/testing/canaries';
import { describeSettings } from './settings';

it('shows the values of harmless settings, and only that the others are set', () => {
  const secret = canary('reglage');
  const env = {
    PATH: '/bin',
    HOME: secret,
    VIGIE_HEALTH_SECONDS: '30',
    VIGIE_LOG_LEVEL: secret,
    VIGIE_ADMIN_PASSWORD: secret,
    VIGIE_SMTP_URL: '',
    DATABASE_URL: `postgres://u:${secret}@h/d`,
    AWS_SECRET_ACCESS_KEY: secret,
    OTEL_EXPORTER_OTLP_HEADERS: secret,
  };
  expect(describeSettings(env)).toEqual({
    AWS_SECRET_ACCESS_KEY: 'set',
    DATABASE_URL: 'set',
    OTEL_EXPORTER_OTLP_HEADERS: 'set',
    VIGIE_ADMIN_PASSWORD: 'set',
    VIGIE_HEALTH_SECONDS: '30',
    VIGIE_LOG_LEVEL: 'set',
  });
});
