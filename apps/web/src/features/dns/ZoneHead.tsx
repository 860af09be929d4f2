import { Link } from '@tanstack/react-router';
import type { Drift } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Callout } from '../../ui/Callout';
import { Status } from '../../ui/Status';
import { DriftNote } from './DriftNote';
import { NameServers } from './NameServers';
import type { Change } from './search';
import { stateOf } from './words';
import { ZoneActions } from './ZoneActions';
import styles from './ZoneHead.module.css';

type Props = { zone: DnsZone; drift: Drift | null; show: Change; onImport: () => void };

const LinkedSite = ({ siteId, name }: { siteId: string; name: string | null }) => (
  <p className={styles['about']}>
    {'Liée au site '}
    <Link to="/sites/$siteId" params={{ siteId }}>
      {name ?? 'de Vigie'}
    </Link>
  </p>
);

export function ZoneHead({ zone, drift, show, onImport }: Props) {
  const { tone, word } = stateOf(zone);
  return (
    <>
      <header className={styles['head']}>
        <h2>{zone.display_name}</h2>
        <Status tone={tone}>{word}</Status>
        {zone.config_name !== null && <p className={styles['about']}>{`Par ${zone.config_name}`}</p>}
        {zone.plan !== null && <p className={styles['about']}>{zone.plan}</p>}
        {zone.site_id !== null && <LinkedSite siteId={zone.site_id} name={zone.site_name} />}
        <ZoneActions zone={zone} show={show} onImport={onImport} />
      </header>
      {zone.paused && (
        <Callout tone="warn">
          <p>
            {
              'Cette zone est en pause\u00a0: Cloudflare répond aux requêtes DNS, mais le trafic ne passe plus par son proxy.'
            }
          </p>
        </Callout>
      )}
      {zone.status === 'pending' && (
        <details className={styles['pending']}>
          <summary>Cette zone attend ses serveurs de noms&#160;: voir ce qu’il reste à faire</summary>
          <NameServers zone={zone} />
        </details>
      )}
      {drift && <DriftNote zoneId={zone.ref} drift={drift} show={show} />}
    </>
  );
}
