import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FakeSendgrid } from '@vigie/testing/sendgrid';
import { WordPressRelay } from '@vigie/testing/fleet/wordpress-relay';
import { databaseUrl } from '../database';
import { readSettings } from '../start/env';
import { freePort } from '../start/ports';
import { waitFor } from '../start/wait';
import { bin } from './checks';
import type { Child, Children } from './children';
import { findChromium } from './chromium';
import { uncheckedDialogs, unusedControls } from './controls';
import { readLiterals } from './literals';
import { failed, type Outcome, passed, playwrightOutcome, readIfPresent, sum } from './results';
import { readControls } from './control-sources';

type Options = { folder: string; filter: readonly string[]; repeat: number };
const sendgridKey = 'SG.e2e-key';
const administrator = { email: 'admin@vigie.test', password: 'les vigies veillent la nuit' };

/** Runs the user stories in a real browser, on the whole product that `npm start` starts. */
export async function runEndToEnd(children: Children, options: Options): Promise<Outcome> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const sendgrid = await FakeSendgrid.start(sendgridKey);
  const wordpress = await WordPressRelay.start();
  const cloudflarePort = await freePort();
  const env = {
    ...productEnv(options.folder, port),
    VIGIE_SENDGRID_URL: sendgrid.url,
    VIGIE_WORDPRESS_API_URL: wordpress.url,
    VIGIE_CANARY_URLS: 'none',
    VIGIE_RDAP_URL: 'none',
    // A site whose state changes under the hand of a story moves in its list.
    VIGIE_VISIT_SECONDS: '300',
    VIGIE_CLOUDFLARE_URL: `http://127.0.0.1:${cloudflarePort}/client/v4`,
  };
  // The product prints nothing while the stories run, so silence is not a stall.
  const product = children.start('node', ['tools/run.mjs', 'start'], { env, movement: 'none' });
  try {
    if (!(await waitUntilReady(product, address))) return failed(`${product.output()}\nLe produit ne répond pas.`);
    const outcome = await runPlaywright(children, options, {
      address,
      database: databaseUrl(readSettings(env)),
      sendgrid: sendgrid.url,
      wordpress: wordpress.url,
      cloudflarePort,
    });
    const { code } = await product.stop();
    if (code !== 0) return addFailure(outcome, `npm start s’est arrêté avec le code ${code}.\n${product.output()}`);
    return outcome.tally.failed > 0 ? { ...outcome, output: `${outcome.output}\n${product.output()}` } : outcome;
  } finally {
    await product.stop();
    await Promise.all([sendgrid.close(), wordpress.close()]);
  }
}

/** Removes the addresses of the shell, because a test must never use the operator's servers. */
function productEnv(folder: string, port: number): NodeJS.ProcessEnv {
  const {
    DATABASE_URL: _d,
    REDIS_URL: _r,
    NATS_URL: _n,
    VIGIE_PUBLIC_URL: _p,
    VIGIE_STORE: _s,
    VIGIE_SMTP_URL: _m,
    ...env
  } = process.env;
  return {
    ...env,
    VIGIE_HOME: join(folder, 'home'),
    HOST: '127.0.0.1',
    PORT: `${port}`,
    VIGIE_ADMIN_EMAIL: administrator.email,
    VIGIE_ADMIN_PASSWORD: administrator.password,
  };
}

async function waitUntilReady(product: Child, address: string): Promise<boolean> {
  const ended = new AbortController();
  void product.ended.then(() => ended.abort());
  const isUp = () =>
    fetch(`${address}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  return waitFor(isUp, { timeoutMs: 180_000, everyMs: 200, signal: ended.signal });
}

/** The fakes of external services; the stories themselves start the one with only a port. */
type ExternalFakes = { sendgrid: string; wordpress: string; cloudflarePort: number };
type Stage = ExternalFakes & { address: string; database: string };

async function runPlaywright(
  children: Children,
  { folder, filter, repeat }: Options,
  { address, database, sendgrid, wordpress, cloudflarePort }: Stage,
): Promise<Outcome> {
  const report = join(folder, 'playwright.json');
  const controls = join(folder, 'controls');
  mkdirSync(controls);
  const args = [
    'test',
    '-c',
    'apps/web/playwright.config.ts',
    '--reporter=list,json',
    `--output=${join(folder, 'traces')}`,
    // Repeated stories are not retried, because every failure of a flaky story must be visible.
    ...(repeat > 1 ? [`--repeat-each=${repeat}`] : ['--retries=1']),
  ];
  const { code, output } = await children.run(bin('playwright'), [...args, ...filter], {
    env: {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      VIGIE_E2E_URL: address,
      VIGIE_E2E_SENDGRID: sendgrid,
      VIGIE_E2E_SENDGRID_KEY: sendgridKey,
      VIGIE_E2E_WORDPRESS: wordpress,
      VIGIE_E2E_CLOUDFLARE_PORT: String(cloudflarePort),
      VIGIE_E2E_EMAIL: administrator.email,
      VIGIE_E2E_PASSWORD: administrator.password,
      VIGIE_E2E_CHROMIUM: findChromium(),
      VIGIE_E2E_CONTROLS: controls,
      VIGIE_E2E_DATABASE: database,
    },
    movement: 'printing',
  });
  const outcome = playwrightOutcome({ report: readIfPresent(report), code, output });
  // Controls are only checked after a complete run.
  const isPartial = filter.length > 0 || outcome.tally.skipped + outcome.tally.failed > 0;
  return isPartial ? outcome : checkControls(outcome, controls);
}

function checkControls(outcome: Outcome, folder: string): Outcome {
  const sources = { ...readLiterals(['apps/web/src', 'libs/contracts/src']), controls: readControls('apps/web/src') };
  return [
    { lines: unusedControls(folder, sources), words: 'Aucun scénario ne se sert de' },
    { lines: uncheckedDialogs(folder, sources), words: 'axe n’a vu aucun de ces dialogues et menus' },
  ].reduce(
    (sofar, { lines, words }) =>
      lines.length === 0
        ? { ...sofar, tally: sum([sofar.tally, passed.tally]) }
        : addFailure(sofar, `${words} :\n${lines.join('\n')}`),
    outcome,
  );
}

const addFailure = ({ tally, output }: Outcome, sentence: string): Outcome => ({
  tally: { ...tally, failed: tally.failed + 1 },
  output: `${output}\n${sentence}`,
});
