import { Group, Stack } from '@mantine/core';
import { type DnsPermission, dnsPermissionNames } from '@vigie/contracts/dns-config';
import { Status } from '../../ui/Status';
import { permissionStates } from './words';

/** Uses the names that Cloudflare shows where a token is created. */
export function Permissions({ permissions }: { permissions: readonly DnsPermission[] }) {
  if (permissions.length === 0) return null;
  return (
    <Stack component="ul" gap={4} aria-label="Permissions">
      {permissions.map(({ permission, state }) => (
        <Group component="li" key={permission} justify="space-between" gap="4px 16px" mih={28}>
          <span>
            {dnsPermissionNames[permission]}
            {permission === 'zone_create' && ' (pour ajouter des domaines)'}
          </span>
          <Status tone={permissionStates[state].tone}>{permissionStates[state].word}</Status>
        </Group>
      ))}
    </Stack>
  );
}
