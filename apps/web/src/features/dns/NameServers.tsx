import { Stack, Text } from '@mantine/core';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { CopyLine } from '../../ui/CopyLine';

const pendingNote =
  'Chez le bureau d’enregistrement de votre domaine, remplacez les serveurs de noms par ceux-ci. Cloudflare active ensuite la zone, en quelques minutes ou en une journée.';
const activeNote =
  'Ces serveurs de noms sont en place chez le bureau d’enregistrement de votre domaine\u00a0: il n’y a rien à y changer.';

/** Registrars ask for each name server in its own field, so each is copied alone. */
export function NameServers({ zone }: { zone: DnsZone }) {
  const { name_servers: servers, original_name_servers: former, status } = zone;
  if (servers.length === 0) return <p>Cloudflare n’a pas encore attribué de serveurs de noms à cette zone.</p>;
  const isActive = status === 'active';
  return (
    <Stack gap={12}>
      <p>{isActive ? activeNote : pendingNote}</p>
      {servers.map((server, index) => (
        <CopyLine key={server} label={`Serveur de noms ${index + 1}`} text={server} />
      ))}
      {!isActive && former.length > 0 && <Text variant="note">{`À remplacer\u00a0: ${former.join(', ')}`}</Text>}
    </Stack>
  );
}
