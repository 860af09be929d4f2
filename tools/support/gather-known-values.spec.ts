import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { readSettings } from '../start/env';
import { writeKeys } from '../start/keys';
import { addSettings } from './gather-known-values';
import { KnownValues } from './known-values';

let home: string;
beforeEach(() => void (home = testFolder('known')));

it('redacts settings and the secrets of the state folder, and keeps the words of the code', () => {
  writeKeys(join(home, 'keys'));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ passwords: { redis: 'zq7' } }));
  writeFileSync(join(home, 'half.json'), '{');
  writeFileSync(join(home, 'smtp'), 'smtp://facteur:abc@relais\n');
  const knownValues = new KnownValues();
  const env = {
    VIGIE_HOME: home,
    VIGIE_LOG_LEVEL: 'debug',
    VIGIE_SMTP_URL_FILE: join(home, 'smtp'),
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20j3t,x-team=phare',
    MY_PASSWORD: 'tr0is',
    LANG: 'fr_FR',
  };
  addSettings(knownValues, readSettings(env));
  const redact = (text: string) => knownValues.redact(text, /[\w-]{20,}/g);
  expect(redact('zq7 facteur abc relais j3t phare tr0is')).toBe(Array(7).fill('<known>').join(' '));
  expect(redact(`in ${home}`)).toBe('in /<known>');
  const text = 'auth-svc asked the gateway at debug level, fr_FR, authorization';
  expect(redact(text)).toBe(text);
});
