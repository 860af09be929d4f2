import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { readSettings } from '../start/env';
import { writeKeys } from '../start/keys';
import { addSettings } from './gather-known';
import { Known } from './known';

let home: string;
beforeEach(() => void (home = testFolder('known')));

it('knows what was set and what the files of the state folder hold, and leaves the words of the code', () => {
  writeKeys(join(home, 'keys'));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ passwords: { redis: 'zq7' } }));
  writeFileSync(join(home, 'half.json'), '{');
  writeFileSync(join(home, 'smtp'), 'smtp://facteur:abc@relais\n');
  const known = new Known();
  const given = {
    VIGIE_HOME: home,
    VIGIE_LOG_LEVEL: 'debug',
    VIGIE_SMTP_URL_FILE: join(home, 'smtp'),
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20j3t,x-team=phare',
    MY_PASSWORD: 'tr0is',
    LANG: 'fr_FR',
  };
  addSettings(known, readSettings(given));
  const strike = (text: string) => known.strike(text, /[\w-]{20,}/g);
  expect(strike('zq7 facteur abc relais j3t phare tr0is')).toBe(Array(7).fill('<known>').join(' '));
  expect(strike(`in ${home}`)).toBe('in /<known>');
  const said = 'auth-svc asked the gateway at debug level, fr_FR, authorization';
  expect(strike(said)).toBe(said);
});
