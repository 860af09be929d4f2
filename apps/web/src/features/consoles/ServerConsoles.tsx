import { Text } from '@mantine/core';
import { Card } from '../../ui/Card';
import { ConsoleLines } from './OpenConsoles';
import { useTabs } from './tabs';

/** The open consoles of one server. */
export function ServerConsoles({ serverId }: { serverId: string }) {
  const { all } = useTabs();
  const open = all.filter(({ target }) => target.id === serverId);
  return (
    <Card component="section" aria-labelledby="server-consoles" miw={0}>
      <Text component="h2" id="server-consoles" p="14px var(--gutter) 10px">
        Consoles
      </Text>
      {open.length > 0 ? (
        <ConsoleLines tabs={open} />
      ) : (
        <Text c="muted" p="0 var(--gutter) 16px">
          Aucune console ouverte sur ce serveur.
        </Text>
      )}
    </Card>
  );
}
