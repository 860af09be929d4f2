import { afterEach, describe, expect, it } from 'vitest';
import { type Answers, closeServers, prepare, site } from './test-cli';
import { formatTime } from './times';

afterEach(closeServers);

const at = '2026-11-28T01:00:00.000Z';
const filename = 'boutique-20261128-010000-abc.wpress';
const archive = { filename, size: 13_000_000, createdAt: at, created: at, verified: null };
const onSite = { ...archive, storage: 'wp-content/ai1wm-backups', location: 'Distant', is_usable: true };
const local = {
  ...archive,
  size: 2_000_000,
  location: 'Local',
  site_id: site.id,
  site_name: site.name,
  goes_at: null,
  sha256: 'a'.repeat(64),
};
const vitrine = {
  type: 'plugin',
  slug: 'vitrine',
  file: 'vitrine/vitrine.php',
  name: 'Vitrine',
  version: '1.3.0',
  status: 'active',
  kind: 'regular',
  is_network_active: false,
  parent: null,
  hasUpdate: false,
  new_version: null,
  previous: { version: '1.2.0', made_at: at, has_tables: true },
};
const details = { ...site, previous: null, plugins: [vitrine], themes: [], checks: null, facts: null, created_at: at };

const orders: string[] = [];
const answers: Answers = ({ method, path }) => {
  if (method !== 'GET') orders.push(path);
  if (path === '/sites') return { body: [site] };
  if (path.includes('/backups/local')) return { body: [local] };
  if (path.endsWith('/backups')) return { body: [onSite] };
  return { body: details };
};

describe('the question before what cannot be bound to it names', () => {
  it.each([
    ['the date and size of an archive', ['restore', site.name, filename], [formatTime(at), '12.4 MB', filename]],
    ['those of a local archive', ['restore', site.name, filename, '--local'], [formatTime(at), '1.9 MB', filename]],
    ['the version of a rollback', ['rollback', site.name, 'vitrine'], ['1.2.0', formatTime(at), 'with its tables']],
  ])('%s', async (_, argv, words) => {
    const { run, written } = await prepare(argv, answers, { typed: 'n\r' });
    expect(await run()).toBe(3);
    for (const word of words) expect(written.err).toContain(word);
    expect(orders).toEqual([]);
  });

  it('nothing where no version is kept', async () => {
    const { run } = await prepare(['rollback', site.name, 'wordpress'], answers, { typed: 'y\r' });
    await expect(run()).rejects.toMatchObject({ ending: 'usage' });
    expect(orders).toEqual([]);
  });
});
