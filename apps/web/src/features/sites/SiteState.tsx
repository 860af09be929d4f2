import type { HttpStatus, SiteItem } from '@vigie/contracts/sites';
import { Status } from '../../ui/Status';
import { spellDate } from '../../ui/dates';
import { httpOf, reasonsOf, statuses } from './words';

type Judged = Pick<SiteItem, 'status' | 'ssh_error' | 'problem' | 'http' | 'updates'>;

/** The badge of a site, with its reasons for whoever asks. */
export function SiteState({ site }: { site: Judged }) {
  const { tone, word } = statuses[site.status];
  const why = reasonsOf(site).join('\n');
  return (
    <span title={why || undefined}>
      <Status tone={tone}>{word}</Status>
    </span>
  );
}

/** What a visitor of the site gets, and when that was seen. */
export function HttpBadge({ http }: { http: HttpStatus | null }) {
  const { tone, word, why } = httpOf(http);
  const seen = http ? `Vu le ${spellDate(new Date(http.checked_at))}` : '';
  return (
    <span title={[why, seen].filter(Boolean).join('\n')}>
      <Status tone={tone}>{word}</Status>
    </span>
  );
}
