import { SiteJobInput } from '@vigie/contracts/site-looks';
import { siteStepNames, siteSteps } from '@vigie/contracts/sites';
import type { Connection } from '@vigie/ssh/connection';
import { diagnoseSite } from '@vigie/wordpress/diagnose';
import { SiteSteps } from '@vigie/wordpress/steps';
import type { Connections } from '../connections';
import { env } from '../env';
import { type JobHandler, type JobHandlers, requireAccess, type Running } from '../jobs/job-handler';
import { tellingSteps } from '../jobs/step-progress';
import { askWordPress } from '../site-looks/read-sites';
import { looking } from './looking';
import { hostOf } from './site-host';

export const sitesJobs = (connections: Connections): JobHandlers<'sites.test' | 'sites.inspect'> => ({
  'sites.test': testSite(connections),
  'sites.inspect': askSite(connections),
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
