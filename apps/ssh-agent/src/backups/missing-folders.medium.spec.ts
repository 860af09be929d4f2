import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { codeOf, RestoreStage, write } from '@vigie/testing/restores';
import { runForTests } from '../jobs/run-for-tests';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);

describeFleet('a restore of a site whose uploads or plugins folder lies outside wp-content and is missing', () => {
  let stage: RestoreStage;
  beforeEach(async () => {
    stage = await RestoreStage.start(['plain'], (connections) => {
      const store = async () => Promise.reject(new Error('no store'));
      const handlers = backupsJobs(connections, { openStore: store, ruleFor: () => () => true });
      return (job) => runForTests(handlers, job);
    });
    write(stage.plain, 'uploads/2020/photo.txt', 'une photo');
  });
  afterEach(() => stage?.close());

  it.each([
    ['merge', `define('UPLOADS', 'medias');`],
    ['replace', `define('UPLOADS', 'medias');`],
    ['replace', `define('WP_PLUGIN_DIR', __DIR__ . '/greffons');`],
  ] as const)('touches nothing else (%s, %s)', async (mode, constant) => {
    const site = stage.plain;
    const filename = await stage.pack(site);
    const config = join(site.path, 'wp-config.php');
    writeFileSync(config, readFileSync(config, 'utf8').replace('<?php', `<?php\n${constant}`));
    write(site, '../autre-dossier/important.txt', 'à quelqu’un d’autre');
    const before = readdirSync(site.path);
    const { outcome } = await stage.restore(site, filename, { mode });
    const missing = before.filter((name) => !existsSync(join(site.path, name)));
    expect({ missing, outcome, code: await codeOf(site) }).toMatchObject({
      missing: [],
      outcome: { state: 'succeeded' },
      code: 200,
    });
  });
});
