import { once } from 'node:events';
import type { SiteState } from '@vigie/contracts/inventory';
import { reportScans } from '@vigie/contracts/site-checks';
import { runScript } from '@vigie/ssh/script';
import { inspectSite } from '@vigie/wordpress/inspect';
import { scanSites } from '@vigie/wordpress/scan';
import { SiteFailure } from '@vigie/wordpress/host';
import { connectBus } from './bus';
import type { ChangeStage } from './change-stage';
import { connectionsTo } from './connections';
import type { FleetSite } from './fleet/sites';
import { targetOf } from './ssh-targets';

type Depth = SiteState['depth'];

/** Reads a site like an agent with a slow host; calling the returned function lets the answer arrive and reports it. */
export async function pauseInspection(stage: ChangeStage, site: FleetSite, depth: Depth): Promise<() => Promise<void>> {
  const connections = connectionsTo(targetOf(stage.fleet.host, { user: 'deploy' }));
  const [read, answers] = [new AbortController(), new AbortController()];
  const { signal } = new AbortController();
  const work = connections.use({} as never, {
    signal,
    work: (connection) =>
      readSite(site, depth, async (...[script, options]) => {
        const result = await runScript(connection, script, options);
        read.abort();
        if (!answers.signal.aborted) await once(answers.signal, 'abort');
        return result;
      }),
  });
  await once(read.signal, 'abort');
  return async () => {
    answers.abort();
    const state = await work;
    await connections.close();
    await reportState(stage, site, state);
  };
}

async function readSite({ path, url }: FleetSite, depth: Depth, run: Parameters<typeof scanSites>[0]['run']) {
  const php = '/usr/bin/php';
  if (depth === 'inspect') {
    return (await inspectSite({ run }, { path, url }, { php, refreshes: false, api: null })).state;
  }
  const [scan] = await scanSites({ run }, [path], { php });
  if (!scan || scan instanceof SiteFailure) throw new Error('the site was not scanned');
  return scan.state;
}

async function reportState(stage: ChangeStage, site: FleetSite, state: SiteState): Promise<void> {
  const { product } = stage;
  const id = stage.idOf(site);
  const agent = await connectBus(product.keys['ssh-agent']);
  const [row] = (await product.database.query('select version from sites.sites where id = $1', [id])).rows;
  await agent.call(reportScans, {
    items: [{ id, version: Number(row?.['version']), facts: state, failure: null }],
  });
  await agent.close();
}
