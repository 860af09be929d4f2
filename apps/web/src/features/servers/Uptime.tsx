import type { ServerStatus } from '@vigie/contracts/servers';
import { spellDate } from '../../ui/dates';

/** How long it has been running, with since when for whoever asks. */
export function Uptime({ status: { uptime, since } }: { status: ServerStatus }) {
  if (uptime === null) return '—';
  return <span title={since === null ? undefined : `Démarré le ${spellDate(new Date(since))}`}>{uptime}</span>;
}
