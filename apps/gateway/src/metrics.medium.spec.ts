import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSitesOutbox } from '@vigie/contracts/outbox';
import { connectBus } from '@vigie/testing/bus';
import { canary, containsSecret } from '@vigie/testing/canaries';
import { addServer, aServer } from '@vigie/testing/hosts';
import { type CollectedSpan, FakeCollector } from '@vigie/testing/otlp';
import { freePort } from '@vigie/testing/ports';
import { TestProduct } from '@vigie/testing/product';
import { hostPassword, SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

const apps = ['gateway', 'auth-svc', 'sites-svc', 'dns-svc', 'ssh-agent'] as const;
const collectorToken = canary('collecteur');
const traceId = '0af7651916cd43dd8448eb211c80319c';
const browserStep = 'b7ad6b7169203331';

let product: TestProduct;
let collector: FakeCollector;
let host: SshHost | undefined;
let root: string;
beforeAll(async () => {
  collector = await FakeCollector.start(collectorToken);
  product = await TestProduct.start(apps, {
    VIGIE_METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collectorToken}`,
  });
  root = await product.login();
  if (!hostUnavailableReason()) host = await SshHost.start();
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
  await collector?.close();
});

const scrape = (app: (typeof apps)[number]) => product.scrape(app);

it('measures the ledger, and everything else while its database is away', async () => {
  const readSource = async () => {
    const text = await scrape('sites-svc');
    const isUp = /^vigie_metrics_source_up\{source="database",app="sites-svc"\} ([01])$/m.exec(text)?.[1];
    return { isUp, rest: /^vigie_outbox_lag_rows\{.*source="auth-svc".*\} \d/m.test(text) };
  };
  await product.database.query('alter table sites.jobs rename to jobs_that_are_away');
  expect(await readSource()).toEqual({ isUp: '0', rest: true });
  await product.database.query('alter table sites.jobs_that_are_away rename to jobs');
  await until(async () => (await readSource()).isUp === '1');
});

it('measures each process on a port of its own, and nowhere else', async () => {
  await product.request('GET', '/api/health/live');
  for (const app of apps) {
    const text = await scrape(app);
    expect(text).toMatch(new RegExp(`^nodejs_version_info\\{.*app="${app}"\\} 1$`, 'm'));
  }
  const text = await scrape('gateway');
  expect(text).toContain(
    'vigie_http_request_seconds_count{app="gateway",method="GET",route="/api/health/live",status="200"} 1',
  );
  expect(text).toMatch(
    /^vigie_bus_call_seconds_count\{app="gateway",contract="auth.sessions.login",outcome="ok"\} 1$/m,
  );
  expect(await scrape('auth-svc')).toMatch(
    /^vigie_bus_answer_seconds_count\{app="auth-svc",contract="auth.sessions.login",outcome="ok"\} 1$/m,
  );
  // Both sources, in the second scrape too.
  for (const scraped of [await scrape('dns-svc'), await scrape('dns-svc')])
    for (const source of ['auth-svc', 'sites-svc'])
      expect(scraped).toMatch(new RegExp(`^vigie_outbox_lag_seconds\\{source="${source}",app="dns-svc"\\} \\d`, 'm'));
  expect((await product.request('GET', '/metrics')).text).not.toContain('vigie_http');
});

it('tells an outbox reader how many events are left', async () => {
  const reader = await connectBus(product.keys['dns-svc']);
  const read = (limit: number) => reader.call(readSitesOutbox, { after: { xid: '0', seq: '0' }, limit });
  await product.database.query(
    `insert into sites.outbox (id, fact) select gen_random_uuid(), '{"kind":"of a later release"}' from generate_series(1, 3)`,
  );
  await until(async () => (await read(10)).items.length === 3);
  expect(await read(1)).toMatchObject({ has_more: true, left: 2 });
  expect(await read(10)).toMatchObject({ has_more: false, left: 0 });
  await reader.close();
});

it('lets no stranger write into a trace, or hide from traces', async () => {
  const strange = '1bf7651916cd43dd8448eb211c80319c';
  for (const flag of ['01', '00']) {
    const headers = { traceparent: `00-${strange}-${browserStep}-${flag}` };
    expect((await product.request('GET', '/api/consoles', { headers })).status).toBe(401);
  }
  await until(() => collector.spans.filter(({ name }) => name === 'GET /api/consoles').length === 2);
  expect([collector.spansOf(strange), collector.spans.filter(({ name }) => name.includes('live'))]).toEqual([[], []]);
});

// Skipped on a machine without an SSH server.
const withHosts = hostUnavailableReason() ? it.skip : it;
withHosts('traces a request from the browser to the programs on the host, without any content', async () => {
  const folder = `/${canary('dossier')}`;
  const server = await addServer(product, root, aServer(host as SshHost, { name: canary('serveur') }));
  const answer = await product.request('POST', `/api/servers/${server.id}/discover`, {
    token: root,
    body: { folder },
    headers: { prefer: 'respond-async', traceparent: `00-${traceId}-${browserStep}-01` },
  });
  const id = String(answer.body['job_id']);
  const isOver = async () =>
    !['queued', 'running'].includes(
      String((await product.request('GET', `/api/jobs/${id}`, { token: root })).body['state']),
    );
  await until(isOver);
  const find = (name: string) => collector.spansOf(traceId).find((span) => span.name === name);
  const route = 'POST /api/servers/:id/discover';
  // Each service exports its spans at its own time.
  await until(() => find('job servers.discover') !== undefined && pathOf(find('find-php.sh')).at(-1) === route);

  expect(find(route)).toMatchObject({ service: 'vigie-gateway', parent: browserStep });
  const program = find('find-php.sh');
  expect(program?.attributes).toEqual({ 'vigie.target.id': server.id, 'process.exit.code': '0' });
  expect(pathOf(program)).toEqual([
    'find-php.sh',
    'job servers.discover',
    ...Array(2).fill('sites.site-discovery.discover'),
    route,
  ]);
  expect(collector.refusals).toEqual([]);
  for (const secret of [folder.slice(1), hostPassword, root, collectorToken, '127.0.0.1', 'admin@localhost']) {
    expect([secret, containsSecret(collector.received, secret)]).toEqual([secret, false]);
  }
  const agent = await scrape('ssh-agent');
  expect(agent).toMatch(/^vigie_ssh_handshake_seconds_count\{app="ssh-agent",outcome="ok"\} 1$/m);
  expect(agent).toMatch(/^vigie_ssh_connections\{app="ssh-agent"\} 1$/m);
  expect(agent).toMatch(/^vigie_ssh_channels\{app="ssh-agent"\} 0$/m);
  expect(agent).toMatch(/^vigie_leases_held\{app="ssh-agent"\} 0$/m);
  expect(agent).toContain('vigie_ssh_command_seconds_count{app="ssh-agent",payload="find-php.sh",outcome="succeeded"}');
  const ledger = await scrape('sites-svc');
  expect(ledger).toMatch(/^vigie_job_run_seconds_count\{.*kind="servers.discover",state="\w+"\} 1$/m);
  expect(ledger).toMatch(/^vigie_job_wait_seconds_count\{.*kind="servers.discover",state="\w+"\} 1$/m);
});

it('counts failed connections to a host by their cause', async () => {
  const nowhere = await addServer(product, root, aServer({ port: await freePort() }, { name: 'absent' }));
  await product.request('POST', `/api/servers/${nowhere.id}/discover`, { token: root, body: {} });
  expect(await scrape('ssh-agent')).toMatch(/^vigie_ssh_failures_total\{kind="refused",app="ssh-agent"\} \d$/m);
});

/** The names of a span and its ancestors. */
function pathOf(span: CollectedSpan | undefined): string[] {
  if (!span) return [];
  return [span.name, ...pathOf(collector.spansOf(span.traceId).find(({ id }) => id === span.parent))];
}
