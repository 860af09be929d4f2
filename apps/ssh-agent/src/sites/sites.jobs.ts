import { SiteJobInput } from '@vigie/contracts/site-checks';
import { siteStepNames, siteSteps } from '@vigie/contracts/sites';
import type { Connection } from '@vigie/ssh/connection';
import { readable } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';
import { diagnoseSite } from '@vigie/wordpress/diagnose';
import { SiteSteps } from '@vigie/wordpress/steps';
import type { Connections } from '../connections';
import { hideSecret } from '../credentials/hide-secret';
import { env } from '../env';
import { type JobHandler, type JobHandlers, requireAccess, type JobContext } from '../jobs/job-handler';
import { stepReporter } from '../jobs/step-progress';
import { inspectSite } from './inspect-site';
import { runReadOnly } from './read-only-job';
import { hostOf, recordOutput } from './site-host';

export const sitesJobs = (connections: Connections): JobHandlers<'sites.test' | 'sites.inspect'> => ({
  'sites.test': testSite(connections),
  'sites.inspect': inspectSiteJob(connections),
});

const siteOf = ({ job }: JobContext) => SiteJobInput.parse(job.input).site;

const testSite =
  (connections: Connections): JobHandler =>
  async (context) => {
    const { signal, report } = context;
    const site = siteOf(context);
    const access = requireAccess(context.job.access);
    const steps = new SiteSteps(stepReporter(report, siteSteps, siteStepNames));
    const output = { stdout: '', stderr: '' };
    const work = async (connection: Connection, target: SshTarget) => {
      const message = `${access.host} accepte la connexion de ${access.user} au port ${access.port}.`;
      steps.note('connect', { state: 'ok', message, remedy: null });
      const host = recordOutput(hostOf(connection), output, (text) => readable(hideSecret(text, target)));
      const { state, path } = await diagnoseSite(host, site, { steps, api: env.VIGIE_WORDPRESS_API_URL, signal });
      return { version: state.core.version ?? '', path, facts: state, host_key: connection.hostKey };
    };
    return runReadOnly(context, { steps, output }, async () => {
      const target = await connections.targetOf(access);
      const result = await connections.use(access, { signal, work: (connection) => work(connection, target) });
      return { ...result, steps: steps.all };
    });
  };

const inspectSiteJob =
  (connections: Connections): JobHandler =>
  async (context) => {
    const { signal, report } = context;
    const site = siteOf(context);
    report({ step: 'Lecture du site', done: null, total: null });
    const work = async (connection: Connection) => {
      const { facts: state, path } = await inspectSite(hostOf(connection), site, { signal });
      return { facts: state, path, host_key: connection.hostKey };
    };
    return runReadOnly(context, undefined, () => connections.use(requireAccess(context.job.access), { signal, work }));
  };
