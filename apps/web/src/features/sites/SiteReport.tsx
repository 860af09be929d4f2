import { Link } from '@tanstack/react-router';
import { type Site, type SiteItem, type SiteTest, trustSiteKey } from '@vigie/contracts/sites';
import { allows, isOwn } from '../../kit/fleet/roles';
import { ChangedKey } from '../../kit/diagnosis/ChangedKey';
import { DiagnosisReport } from '../../kit/diagnosis/DiagnosisReport';
import { KeyLines } from '../../ui/KeyLines';
import { addressOf } from '../../ui/serverAddress';
import { sitesApi } from './sites.api';
import type { SiteDiagnosis } from './useSiteTest';

type HostKeys = { expected: string; actual: string };

/** Whether the site has its own key, and no connection has succeeded with it yet. */
export const needsKeyInstall = ({ connection: { ssh }, read_at: readAt, role }: SiteItem): boolean =>
  isOwn({ role }) && ssh.server_id === null && !ssh.has_password && ssh.host_key === null && readAt === null;

/** Whether the host key is pinned for the site itself, since its address or credentials are not the server's. */
const hasOwnHostKey = ({
  server_id: serverId,
  host_key: key,
  host,
  port,
  user,
  ...ssh
}: SiteItem['connection']['ssh']) =>
  serverId === null ||
  (key !== null && (ssh.has_password || ssh.has_key || host !== null || port !== null || user !== null));

/** The public key of a site without a server, with the command that installs it. */
export function SiteKey({ site }: { site: Site | SiteItem }) {
  const { public_key: key, effective } = site.connection.ssh;
  return key !== null && <KeyLines pubkey={key} user={effective?.user ?? 'root'} />;
}

export function SiteReport({ site, diagnosis }: { site: Site | SiteItem; diagnosis: SiteDiagnosis }) {
  const trust = sitesApi.useTrustSiteKeyMutation();
  const { id, name, connection } = site;
  const { effective, server_id: serverId } = connection.ssh;
  const changedKey = (keys: HostKeys, onTrusted: () => void) => {
    if (!allows(site, trustSiteKey)) return <p>Seul le propriétaire du site peut accepter cette clé.</p>;
    return hasOwnHostKey(connection.ssh) ? (
      <ChangedKey {...keys} name={name} id={id} trust={trust} onTrusted={onTrusted} />
    ) : (
      <p>
        {'Cette clé est celle du serveur\u00a0: '}
        <Link to="/servers" search={{ open: serverId ?? undefined }}>
          testez le serveur pour les comparer
        </Link>
        .
      </p>
    );
  };
  const subject = {
    id,
    title: effective ? `${name} (${addressOf(effective)})` : name,
    spell: ({ version, facts: state }: SiteTest) =>
      state.problem
        ? `Vigie joint ce site, mais WordPress ${version} ne démarre pas.`
        : `Vigie joint ce site\u00a0: WordPress ${version}.`,
    stepsOf: ({ steps }: SiteTest) => steps,
    outputsOf: () => [],
    changedKey,
  };
  return <DiagnosisReport subject={subject} diagnosis={diagnosis} />;
}
