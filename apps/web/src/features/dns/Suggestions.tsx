import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { suggestLinks } from '@vigie/contracts/dns-mapping';
import { Link2 } from 'lucide-react';
import type { z } from 'zod';
import { Card } from '../../ui/Card';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import type { Linking } from './useLinking';

type SuggestionsAnswer = z.output<typeof suggestLinks.output>;

/** Suggests links by host name. When they cannot be loaded, the form below still works. */
export function Suggestions({ answer, linking }: { answer: SuggestionsAnswer; linking: Linking }) {
  const { suggestions, total } = answer;
  if (suggestions.length === 0) return null;
  const others = total - suggestions.length;
  return (
    <Card component="section" aria-labelledby="suggested" p={16}>
      <Stack gap={8}>
        <h2 id="suggested">Suggestions</h2>
        <Text variant="note">D’après le nom d’hôte de vos sites.</Text>
        <Lines>
          {suggestions.map(({ site, zone }) => (
            <Group component="li" key={site.id} justify="space-between" gap="8px 16px" py={8}>
              <Box component="p" flex="1 1 240px" miw={0}>
                <strong>{site.name}</strong>
                <Text span c="muted" fz={13}>{` ${site.url} → `}</Text>
                <strong>{zone.display_name}</strong>
              </Box>
              <Button
                variant="default"
                leftSection={<Link2 size={16} aria-hidden />}
                aria-label={`Lier ${site.name} à ${zone.display_name}`}
                loading={linking.busySiteId === site.id}
                onClick={() => void linking.link({ site, zone })}
              >
                Lier
              </Button>
            </Group>
          ))}
        </Lines>
        {others > 0 && (
          <Text variant="note">{`Et ${plural(others, 'autre', 'autres')}, une fois celles-ci liées.`}</Text>
        )}
      </Stack>
    </Card>
  );
}
