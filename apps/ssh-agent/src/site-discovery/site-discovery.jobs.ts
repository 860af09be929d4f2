import { DiscoveryInput } from '@vigie/contracts/site-discovery';
import type { Connection } from '@vigie/ssh/connection';
import { discoverSites } from '@vigie/wordpress/discover';
import { withPhp } from '@vigie/wordpress/php';
import type { Connections } from '../connections';
import { type JobHandler, type JobHandlers, requireAccess } from '../jobs/job-handler';
import { runReadOnly } from '../sites/read-only-job';
import { hostOf } from '../sites/site-host';

export const siteDiscoveryJobs = (connections: Connections): JobHandlers<'servers.discover'> => ({
  'servers.discover': discover(connections),
});

const discover =
  (connections: Connections): JobHandler =>
  async (context) => {
    const { signal, report } = context;
    const { folder } = DiscoveryInput.parse(context.job.input);
    report({ step: 'Recherche des sites', done: null, total: null });
    const work = async (connection: Connection) => {
      const host = hostOf(connection);
      return withPhp(host, null, (php) => discoverSites(host, { php, signal, extra: folder ? [folder] : [] }), signal);
    };
    return runReadOnly(context, undefined, async () => {
      const { items, notes } = await connections.use(requireAccess(context.job.access), { signal, work });
      return limitSize(items, notes);
    });
  };

/** Just under the quarter of a megabyte that the result of a job may have. */
const maxBytes = 240_000;

function limitSize<T>(items: readonly T[], notes: readonly string[]): { items: T[]; notes: string[] } {
  let size = JSON.stringify(notes).length;
  const listed = items.filter((item) => (size += Buffer.byteLength(JSON.stringify(item)) + 1) <= maxBytes);
  const leftOut = items.length - listed.length;
  const note = `${leftOut} autres sites trouvés ne sont pas affichés\u00a0: importez d’abord ceux-ci.`;
  return { items: listed, notes: leftOut > 0 ? [note, ...notes].slice(0, 50) : [...notes] };
}
