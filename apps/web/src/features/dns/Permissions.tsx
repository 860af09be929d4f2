import { type DnsPermission, dnsPermissionNames } from '@vigie/contracts/dns-config';
import { Status } from '../../ui/Status';
import styles from './ConfigTab.module.css';
import { permissionStates } from './words';

/** Uses the names that Cloudflare shows where a token is created. */
export function Permissions({ permissions }: { permissions: readonly DnsPermission[] }) {
  if (permissions.length === 0) return null;
  return (
    <ul aria-label="Permissions" className={styles['permissions']}>
      {permissions.map(({ permission, state }) => (
        <li key={permission}>
          <span>
            {dnsPermissionNames[permission]}
            {permission === 'zone_create' && ' (pour ajouter des domaines)'}
          </span>
          <Status tone={permissionStates[state].tone}>{permissionStates[state].word}</Status>
        </li>
      ))}
    </ul>
  );
}
