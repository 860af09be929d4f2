import type { ServerStatus } from '@vigie/contracts/servers';
import { formatDate } from '../../ui/dates';

/** Shows the uptime, with the start date in a tooltip. */
export function Uptime({ status: { uptime, since } }: { status: ServerStatus }) {
  if (uptime === null) return '—';
  return <span title={since === null ? undefined : `Démarré le ${formatDate(new Date(since))}`}>{uptime}</span>;
}
