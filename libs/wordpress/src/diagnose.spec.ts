import { expect, it } from 'vitest';
import type { ExecResult } from '@vigie/ssh/exec';
import { searchOnce } from './diagnose';
import { type Host, SiteFailure } from './host';

type ScanInput = { sites: { path: string }[]; word: string };

it('searches a host once for all of its sites, and again if the first search failed', async () => {
  let searches = 0;
  const run: Host['run'] = async (_, { args = [] }) => {
    const isSearch = !args[0]?.startsWith('/');
    if (isSearch) searches += 1;
    if (searches === 1) throw new SiteFailure('no_php', 'x', 'y');
    return outputOf(isSearch ? '/srv/a/wp-load.php\n/srv/b/wp-load.php\n' : scanOf(args[1] ?? ''));
  };
  const search = searchOnce();
  const options = { php: '/usr/bin/php' };
  await expect(search({ run }, 'http://a.test', options)).rejects.toThrow(SiteFailure);
  expect(await search({ run }, 'https://www.a.test/', options)).toBe('/srv/a');
  expect(await search({ run }, 'http://b.test', options)).toBe('/srv/b');
  await expect(search({ run }, 'http://c.test', options)).rejects.toMatchObject({ code: 'no_path' });
  expect(searches).toBe(2);
});

/** Each site answers under the name of its folder. */
function scanOf(input: string): string {
  const { sites, word } = JSON.parse(Buffer.from(input, 'base64').toString()) as ScanInput;
  const lines = sites.map(({ path }, at) => {
    const home = `http://${path.split('/').at(-1)}.test`;
    const site = { at, core: {}, extensions: [], home, config_path: `${path}/wp-config.php` };
    return `\n${word}${JSON.stringify(site)}${word}\n`;
  });
  return lines.join('');
}

function outputOf(text: string): ExecResult {
  const none = { bytes: Buffer.alloc(0), dropped: 0 };
  return {
    outcome: 'succeeded',
    code: 0,
    signal: null,
    stdout: { bytes: Buffer.from(text), dropped: 0 },
    stderr: none,
  };
}
