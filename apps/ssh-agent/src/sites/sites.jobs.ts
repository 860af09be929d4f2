import { DiscoveryInput } from '@vigie/contracts/site-discovery';
import { SiteJobInput } from '@vigie/contracts/site-looks';
import { siteStepNames, siteSteps } from '@vigie/contracts/sites';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { diagnoseSite } from '@vigie/wordpress/diagnose';
import { discoverSites } from '@vigie/wordpress/discover';
import { withPhp } from '@vigie/wordpress/php';
import { SiteSteps } from '@vigie/wordpress/steps';
import type { Connections } from '../connections';
import { env } from '../env';
import { type JobHandler, type JobHandlers, type Outcome, requireAccess, type Running } from '../jobs/job-handler';
import { tellingSteps } from '../jobs/step-progress';
import { askWordPress } from '../site-looks/read-sites';
import { failureOf, hostOf } from './site-host';

export const sitesJobs = (
  connections: Connections,
): JobHandlers<'sites.test' | 'sites.inspect' | 'servers.discover'> => ({
  'sites.test': testSite(connections),
  'sites.inspect': askSite(connections),
  'servers.discover': discover(connections),
});

const siteOf = ({ job }: Running) => SiteJobInput.parse(job.input).site;

const testSite =
  (connections: Connections): JobHandler =>
  async (running) => {
    const { signal, tell } = running;
    const site = siteOf(running);
    const access = requireAccess(running.job.access);
    const steps = new SiteSteps(tellingSteps(tell, siteSteps, siteStepNames));
    const work = async (connection: Connection) => {
      const message = `${access.host} accepte la connexion de ${access.user} au port ${access.port}.`;
      steps.note('connect', { state: 'ok', message, remedy: null });
      const asking = { steps, api: env.VIGIE_WORDPRESS_API_URL, signal };
      const { facts, path } = await diagnoseSite(hostOf(connection), site, asking);
      return { version: facts.core.version ?? '', path, facts, host_key: connection.hostKey };
    };
    return looking(running, { steps }, async () => {
      const found = await connections.use(access, { signal, work });
      return { ...found, steps: steps.all };
    });
  };

const askSite =
  (connections: Connections): JobHandler =>
  async (running) => {
    const { signal, tell } = running;
    const site = siteOf(running);
    tell({ step: 'Lecture du site', done: null, total: null });
    const work = async (connection: Connection) => {
      const { facts, path } = await askWordPress(hostOf(connection), site, { signal });
      return { facts, path, host_key: connection.hostKey };
    };
    return looking(running, {}, () => connections.use(requireAccess(running.job.access), { signal, work }));
  };

const discover =
  (connections: Connections): JobHandler =>
  async (running) => {
    const { signal, tell } = running;
    const { folder } = DiscoveryInput.parse(running.job.input);
    tell({ step: 'Recherche des sites', done: null, total: null });
    const work = async (connection: Connection) => {
      const host = hostOf(connection);
      return withPhp(host, null, (php) => discoverSites(host, { php, signal, extra: folder ? [folder] : [] }), signal);
    };
    return looking(running, {}, async () => {
      const { items, notes } = await connections.use(requireAccess(running.job.access), { signal, work });
      return listed(items, notes);
    });
  };

/** The result of a job is a quarter of a megabyte at most. */
const mostBytes = 240_000;

function listed<T>(items: readonly T[], notes: readonly string[]): { items: T[]; notes: string[] } {
  let size = JSON.stringify(notes).length;
  const kept = items.filter((item) => (size += Buffer.byteLength(JSON.stringify(item)) + 1) <= mostBytes);
  const left = items.length - kept.length;
  const note = `${left} sites trouvés de plus ne sont pas montrés\u00a0: importez d’abord ceux-ci.`;
  return { items: kept, notes: left > 0 ? [note, ...notes].slice(0, 50) : [...notes] };
}

/** A look changes nothing: it failed, whatever it had begun. */
async function looking(
  { signal }: Running,
  { steps }: { steps?: SiteSteps },
  work: () => Promise<Record<string, unknown>>,
): Promise<Outcome> {
  try {
    return { state: 'succeeded', result: await work() };
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = failureOf(error);
    if (!failure) throw error;
    if (error instanceof SshFailure) steps?.fail(error);
    else if (steps) steps.fail({ message: failure.message, remedy: failure.remedy ?? '' }, stepOf(failure.code, steps));
    return { state: 'failed', error: steps ? { ...failure, steps: steps.all } : failure };
  }
}

/** A PHP is looked for before the folder is, which needs one. */
const stepOf = (code: string | undefined, steps: SiteSteps) => (code === 'no_php' ? 'php' : steps.next);
