import type { HttpStatus, SiteItem } from '@vigie/contracts/sites';
import { Status } from '../../ui/Status';
import { formatDate } from '../../ui/dates';
import { httpLabel, reasonsOf, statuses } from './words';

type SiteWithStatus = Pick<SiteItem, 'status' | 'ssh_error' | 'problem' | 'http' | 'updates'>;

/** The status of a site, with its reasons in a tooltip. */
export function SiteStatusBadge({ site }: { site: SiteWithStatus }) {
  const { tone, word } = statuses[site.status];
  const reasons = reasonsOf(site).join('\n');
  return (
    <span title={reasons || undefined}>
      <Status tone={tone}>{word}</Status>
    </span>
  );
}

/** The HTTP status of the last visit, with its date in a tooltip. */
export function HttpBadge({ http }: { http: HttpStatus | null }) {
  const { tone, word, reason } = httpLabel(http);
  const checkedAt = http ? `Vu le ${formatDate(new Date(http.checked_at))}` : '';
  return (
    <span title={[reason, checkedAt].filter(Boolean).join('\n')}>
      <Status tone={tone}>{word}</Status>
    </span>
  );
}
