import { Button } from '@mantine/core';
import type { FreeSite } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Link2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { SearchField } from '../../ui/SearchField';
import { SelectField } from '../../ui/SelectField';
import styles from './MappingTab.module.css';
import type { Offer } from './useFree';
import type { Linking } from './useLinking';

type Props = { sites: Offer<FreeSite>; zones: Offer<DnsZone>; linking: Linking };

const missing = 'À choisir.';

const Search = ({ label, search }: { label: string; search: Offer<unknown>['search'] }) =>
  search && <SearchField label={label} value={search.q} onChange={search.setQuery} />;

/** What stands where nothing is chosen yet. */
const firstOf = ({ items, search }: Offer<unknown>, { none, choose }: { none: string; choose: string }) => {
  if (items.length > 0) return choose;
  return search ? 'Aucun résultat' : none;
};

/** Both are needed: one that is missing is marked, and nothing is sent. */
export function LinkForm({ sites, zones, linking }: Props) {
  const [chosen, setChosen] = useState({ site: '', zone: '' });
  const [isAsked, setAsked] = useState(false);
  const site = sites.items.find(({ id }) => id === chosen.site);
  const zone = zones.items.find(({ id }) => id === chosen.zone);
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
        <div className={styles['choice']}>
          <Search label="Chercher un site sans zone" search={sites.search} />
          <SelectField
            label="Site"
            name="site"
            data={[
              { value: '', label: firstOf(sites, { none: 'Aucun site sans zone', choose: 'Choisir un site' }) },
              ...sites.items.map(({ id, name, url }) => ({ value: id, label: `${name} (${url})` })),
            ]}
            value={site?.id ?? ''}
            error={isAsked && !site && missing}
            onChange={(event) => setChosen({ ...chosen, site: event.currentTarget.value })}
          />
        </div>
        <div className={styles['choice']}>
          <Search label="Chercher une zone libre" search={zones.search} />
          <SelectField
            label="Zone"
            name="zone"
            data={[
              { value: '', label: firstOf(zones, { none: 'Aucune zone libre', choose: 'Choisir une zone' }) },
              ...zones.items.map(({ id, display_name: name }) => ({ value: id, label: name })),
            ]}
            value={zone?.id ?? ''}
            error={isAsked && !zone && missing}
            onChange={(event) => setChosen({ ...chosen, zone: event.currentTarget.value })}
          />
        </div>
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
