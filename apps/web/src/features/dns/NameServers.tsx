import { Stack, Text } from '@mantine/core';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { CopyLine } from '../../ui/CopyLine';

const pendingNote =
  'Saisissez ces serveurs de noms chez le bureau d’enregistrement de votre domaine, à la place de ceux qui y sont. La zone devient active une fois que Cloudflare l’a constaté\u00a0: quelques minutes, parfois une journée.';
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
