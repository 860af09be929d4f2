import { Button } from '@mantine/core';
import type { suggestLinks } from '@vigie/contracts/dns-mapping';
import { Link2 } from 'lucide-react';
import type { z } from 'zod';
import { plural } from '../../ui/plural';
import styles from './MappingTab.module.css';
import type { Linking } from './useLinking';

type SuggestionsAnswer = z.output<typeof suggestLinks.output>;

/** Suggests links by host name. When they cannot be loaded, the form below still works. */
export function Suggestions({ answer, linking }: { answer: SuggestionsAnswer; linking: Linking }) {
  const { suggestions, total } = answer;
  if (suggestions.length === 0) return null;
  const others = total - suggestions.length;
  return (
    <section aria-labelledby="suggested" className={styles['card']}>
      <h2 id="suggested">Suggestions</h2>
      <p className={styles['about']}>D’après le nom d’hôte de vos sites.</p>
      <ul>
        {suggestions.map(({ site, zone }) => (
          <li key={site.id} className={styles['line']}>
            <p className={styles['pair']}>
              <strong>{site.name}</strong>
              <span className={styles['about']}>{` ${site.url} → `}</span>
              <strong>{zone.display_name}</strong>
            </p>
            <Button
              variant="default"
              leftSection={<Link2 size={16} aria-hidden />}
              aria-label={`Lier ${site.name} à ${zone.display_name}`}
              loading={linking.busySiteId === site.id}
              onClick={() => void linking.link({ site, zone })}
            >
              Lier
            </Button>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className={styles['about']}>{`Et ${plural(others, 'autre', 'autres')}, une fois celles-ci liées.`}</p>
      )}
    </section>
  );
}
