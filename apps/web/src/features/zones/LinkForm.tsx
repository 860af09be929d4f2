import { Button } from '@mantine/core';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import type { SiteItem } from '@vigie/contracts/sites';
import { Link2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { SelectField } from '../../ui/SelectField';
import styles from './MappingTab.module.css';
import type { Linking } from './useLinking';

type Props = { sites: readonly SiteItem[]; zones: readonly DnsZone[]; linking: Linking };

const missing = 'À choisir.';

/** Both are needed: one that is missing is marked, and nothing is sent. */
export function LinkForm({ sites, zones, linking }: Props) {
  const [chosen, setChosen] = useState({ site: '', zone: '' });
  const [isAsked, setAsked] = useState(false);
  const site = sites.find(({ id }) => id === chosen.site);
  const zone = zones.find(({ id }) => id === chosen.zone);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!site || !zone || linking.busy !== undefined) return;
    if (!(await linking.link({ site, zone }))) return;
    setChosen({ site: '', zone: '' });
    setAsked(false);
  };
  return (
    <section aria-labelledby="linking" className={styles['card']}>
      <h2 id="linking">Lier un site à une zone</h2>
      <form noValidate className={styles['form']} onSubmit={(event) => void submit(event)}>
        <SelectField
          label="Site"
          name="site"
          className={styles['choice']}
          data={[
            { value: '', label: sites.length === 0 ? 'Aucun site sans zone' : 'Choisir un site' },
            ...sites.map(({ id, name, url }) => ({ value: id, label: `${name} (${url})` })),
          ]}
          value={site?.id ?? ''}
          error={isAsked && !site && missing}
          onChange={(event) => setChosen({ ...chosen, site: event.currentTarget.value })}
        />
        <SelectField
          label="Zone"
          name="zone"
          className={styles['choice']}
          data={[
            { value: '', label: zones.length === 0 ? 'Aucune zone libre' : 'Choisir une zone' },
            ...zones.map(({ id, display_name: name }) => ({ value: id, label: name })),
          ]}
          value={zone?.id ?? ''}
          error={isAsked && !zone && missing}
          onChange={(event) => setChosen({ ...chosen, zone: event.currentTarget.value })}
        />
        <Button
          type="submit"
          leftSection={<Link2 size={16} aria-hidden />}
          loading={linking.busy !== undefined && linking.busy === site?.id}
        >
          Lier
        </Button>
      </form>
      <Failure sentence={linking.failure} />
    </section>
  );
}
