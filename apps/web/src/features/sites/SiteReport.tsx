import { Link } from '@tanstack/react-router';
import type { Site, SiteItem, SiteTest } from '@vigie/contracts/sites';
import { ChangedKey } from '../../app/diagnosis/ChangedKey';
import { DiagnosisReport } from '../../app/diagnosis/DiagnosisReport';
import { KeyLines } from '../../ui/KeyLines';
import { addressOf } from '../../ui/serverAddress';
import { sitesApi } from './sites.api';
import type { SiteDiagnosis } from './useSiteTest';

type Keys = { expected: string; actual: string };

/** Of a site whose own key nobody has let in yet, as far as is known. */
export const isKeyNext = ({ connection: { ssh }, read_at: readAt }: SiteItem): boolean =>
  ssh.server_id === null && !ssh.has_password && ssh.host_key === null && readAt === null;

/** Its own way, on which the key of its server is not what it must show: its own place, or its own secret. */
const hasOwnKey = ({ server_id: server, host_key: key, host, port, user, ...ssh }: SiteItem['connection']['ssh']) =>
  server === null ||
  (key !== null && (ssh.has_password || ssh.has_key || host !== null || port !== null || user !== null));

/** The key that a site without a server has of its own, and the way to let it in. */
export function SiteKey({ site }: { site: Site | SiteItem }) {
  const { public_key: key, effective } = site.connection.ssh;
  return key !== null && <KeyLines pubkey={key} user={effective?.user ?? 'root'} />;
}

/** The whole way to a site, step by step: not tried yet, under way, or what came of it. */
export function SiteReport({ site, diagnosis }: { site: Site | SiteItem; diagnosis: SiteDiagnosis }) {
  const [trust] = sitesApi.useTrustSiteKeyMutation();
  const { id, name, connection } = site;
  const { effective, server_id: server } = connection.ssh;
  const changedKey = (keys: Keys, onTrusted: () => void) =>
    hasOwnKey(connection.ssh) ? (
      <ChangedKey {...keys} name={name} trust={(fingerprint) => trust({ id, fingerprint })} onTrusted={onTrusted} />
    ) : (
      <p>
        {'Cette clé est celle du serveur\u00a0: '}
        <Link to="/servers" search={{ open: server ?? undefined }}>
          testez-le pour les comparer
        </Link>
        .
      </p>
    );
  const subject = {
    id,
    title: effective ? `${name} (${addressOf(effective)})` : name,
    spell: ({ version, facts }: SiteTest) =>
      facts.problem
        ? `Vigie joint ce site, mais WordPress ${version} ne démarre pas.`
        : `Vigie joint ce site\u00a0: WordPress ${version}.`,
    stepsOf: ({ steps }: SiteTest) => steps,
    outputsOf: () => [],
    changedKey,
  };
  return <DiagnosisReport subject={subject} diagnosis={diagnosis} />;
}
