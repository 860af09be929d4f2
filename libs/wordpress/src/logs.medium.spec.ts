import { appendFileSync, chownSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { logInAsHost } from '@vigie/testing/login';
import { type LogPosition, readLogs } from './logs';

const describeFleet = onFleet(describe);
const php = '/usr/bin/php';

describeFleet('the logs of a site', () => {
  let fleet: Fleet;
  let host: Awaited<ReturnType<typeof logInAsHost>>;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['broken', 'plain'] });
    host = await logInAsHost(fleet.host, 'sh');
  });
  afterAll(async () => {
    await host?.close();
    await fleet?.close();
  });

  const read = (kind: 'broken' | 'plain', messagesSince: readonly LogPosition[] | null = null) =>
    readLogs(host, fleet.site(kind), { php, since: messagesSince });
  const file = (name: string) => join(fleet.site('plain').path, name);
  const write = (name: string, text: string) => {
    writeFileSync(file(name), text);
    chownSync(file(name), deploy.uid, deploy.gid);
  };
  const stamp = '[22-Nov-2026 04:41:02 UTC]';

  it('names the plugin that ended a real visit', async () => {
    const site = fleet.site('broken');
    const config = join(site.path, 'wp-config.php');
    const settings = "define( 'WP_DEBUG', true );\ndefine( 'WP_DEBUG_LOG', __DIR__ . '/journal.txt' );\n";
    writeFileSync(config, readFileSync(config, 'utf8').replace('// Visits', `${settings}// Visits`));
    const before = await read('broken');
    expect((await fetch(site.url)).status).toBe(500);
    const { fatals } = await read('broken', before.places);
    const { message, ...place } = site.fault ?? {};
    const fatal = { ...place, culprit: { type: 'plugin', slug: 'avarie' }, at: expect.stringMatching(/^20\d\d-/) };
    expect(fatals).toEqual([{ ...fatal, message: expect.stringContaining(message ?? '?') }]);
    const { places } = await read('broken');
    expect((await read('broken', places)).fatals).toEqual([]);
  });

  it('reads the formats of PHP, Apache and nginx, and only fatal errors', async () => {
    const { path } = fleet.site('plain');
    write(
      'wp-content/debug.log',
      `${stamp} PHP Warning:  Undefined variable $x in ${path}/wp-content/plugins/a/a.php on line 3
${stamp} PHP Fatal error:  Uncaught Error: Call to undefined function perdue() in ${path}/wp-content/plugins/formulaire/formulaire.php:12
Stack trace:
#0 ${path}/wp-settings.php(526): include_once()
#1 {main}
  thrown in ${path}/wp-content/plugins/formulaire/formulaire.php on line 12
${stamp} PHP Parse error:  syntax error, unexpected end of file in ${path}/wp-content/themes/phare/functions.php on line 9
${stamp} PHP Fatal error:  Uncaught Exception: ligne une
ligne deux in ${path}/wp-content/db.php:4
[Sun Nov 22 04:41:02.123456 2026] [php:error] [pid 1] [client ::1:9] PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in ${path}/wp-includes/class-wpdb.php on line 2344
2026/11/22 04:41:02 [error] 12#12: *1 FastCGI sent in stderr: "PHP message: PHP Fatal error:  Boum\u202E\u001b[31m in ${path}/wp-content/mu-plugins/garde.php on line 1" while reading response header from upstream, client: ::1
PHP Fatal error:  sans lieu
`,
    );
    const { fatals } = await read('plain');
    rmSync(file('wp-content/debug.log'));
    const at = '2026-11-22T04:41:02.000Z';
    const memory = 'Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes)';
    expect(fatals.map((each) => [each.at, each.message, each.line, each.culprit?.type, each.culprit?.slug])).toEqual([
      [null, 'sans lieu', null, undefined, undefined],
      [at, 'Uncaught Error: Call to undefined function perdue()', 12, 'plugin', 'formulaire'],
      [at, 'syntax error, unexpected end of file', 9, 'theme', 'phare'],
      [at, 'Uncaught Exception: ligne une', 4, 'drop_in', 'db'],
      [at, memory, 2344, 'core', 'wordpress'],
      [at, 'Boum [31m', 1, 'must_use', 'garde'],
    ]);
    expect(fatals[1]?.file).toBe('wp-content/plugins/formulaire/formulaire.php');
  });

  it('finds new errors, also in a rotated or emptied log', async () => {
    const fatal = (name: string) =>
      `${stamp} PHP Fatal error:  ${name} in ${file('wp-content/plugins/a/a.php')} on line 1\n`;
    write('error_log', fatal('avant'));
    const { places } = await read('plain');
    const messagesSince = async () => (await read('plain', places)).fatals.map(({ message }) => message);
    expect(await messagesSince()).toEqual([]);
    appendFileSync(file('error_log'), fatal('après'));
    expect(await messagesSince()).toEqual(['après']);
    renameSync(file('error_log'), file('error_log.1'));
    write('error_log', fatal('tourné'));
    write('wp-content/debug.log', fatal('apparu'));
    expect(await messagesSince()).toEqual(['apparu', 'tourné']);
    writeFileSync(file('error_log'), '');
    expect(await messagesSince()).toEqual(['apparu']);
    rmSync(file('error_log'));
    rmSync(file('wp-content/debug.log'));
  });

  it('is bounded, and follows no link that its owner may not read', async () => {
    const many = Array.from({ length: 30_000 }, (_, at) => `PHP Fatal error:  numéro ${at} in /x.php on line 1`);
    write('error_log', `${many.join('\n')}\n`);
    symlinkSync('/etc/shadow', file('wp-content/debug.log'));
    const { fatals, places } = await read('plain');
    expect(fatals.length).toBe(50);
    expect(fatals.at(-1)?.message).toBe('numéro 29999');
    expect(places.length).toBeLessThanOrEqual(8);
    rmSync(file('error_log'));
    rmSync(file('wp-content/debug.log'));
  });

  it('takes only this site’s errors from a shared log', async () => {
    const shared = join(fleet.site('broken').path, 'tous.log');
    const line = (path: string) => `PHP Fatal error:  ${path} in ${path}/wp-load.php on line 1\n`;
    writeFileSync(shared, line('/ailleurs') + line(fleet.site('plain').path));
    write('.user.ini', `error_log = "${shared}"\n`);
    const { fatals } = await read('plain');
    rmSync(file('.user.ini'));
    expect(fatals.map((each) => each.file)).toEqual(['wp-load.php']);
  });
});
