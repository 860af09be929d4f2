import { SiteJobInput } from '@vigie/contracts/site-checks';
import { siteStepNames, siteSteps } from '@vigie/contracts/sites';
import type { Connection } from '@vigie/ssh/connection';
import { readable } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';
import { diagnoseSite } from '@vigie/wordpress/diagnose';
import { SiteSteps } from '@vigie/wordpress/steps';
import type { Connections } from '../connections';
import { hideSecret } from '../credentials/echoes';
import { env } from '../env';
import { type JobHandler, type JobHandlers, requireAccess, type Running } from '../jobs/job-handler';
import { tellingSteps } from '../jobs/step-progress';
import { askWordPress } from '../site-looks/read-sites';
import { looking } from './looking';
import { hostOf, remembering } from './site-host';

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
    const printed = { stdout: '', stderr: '' };
    const work = async (connection: Connection, target: SshTarget) => {
      const message = `${access.host} accepte la connexion de ${access.user} au port ${access.port}.`;
      steps.note('connect', { state: 'ok', message, remedy: null });
      const host = remembering(hostOf(connection), printed, (text) => readable(hideSecret(text, target)));
      const { facts, path } = await diagnoseSite(host, site, { steps, api: env.VIGIE_WORDPRESS_API_URL, signal });
      return { version: facts.core.version ?? '', path, facts, host_key: connection.hostKey };
    };
    return looking(running, { steps, printed }, async () => {
      const target = await connections.targetOf(access);
      const found = await connections.use(access, { signal, work: (connection) => work(connection, target) });
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
    return looking(running, undefined, () => connections.use(requireAccess(running.job.access), { signal, work }));
  };
