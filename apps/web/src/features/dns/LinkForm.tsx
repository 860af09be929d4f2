import { Button } from '@mantine/core';
import type { FreeSite } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Link2 } from 'lucide-react';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { Failure } from '../../ui/Failure';
import { SearchField } from '../../kit/list/SearchField';
import { SelectField } from '../../ui/SelectField';
import styles from './MappingTab.module.css';
import type { LinkOptions } from './useLinkOptions';
import type { Linking } from './useLinking';

type Props = { sites: LinkOptions<FreeSite>; zones: LinkOptions<DnsZone>; linking: Linking };

const blank = { site: '', zone: '' };
const missingChoice = 'À choisir.';

const OptionSearch = ({ label, search }: { label: string; search: LinkOptions<unknown>['search'] }) =>
  search && <SearchField label={label} value={search.q} onChange={search.setQuery} />;

/** The text of the empty option. */
const placeholderOf = ({ items, search }: LinkOptions<unknown>, { none, choose }: { none: string; choose: string }) => {
  if (items.length > 0) return choose;
  return search ? 'Aucun résultat' : none;
};

/** A missing site or zone is marked, and nothing is sent. */
export function LinkForm({ sites, zones, linking }: Props) {
  const siteOf = ({ site: chosen }: typeof blank) => sites.items.find(({ id }) => id === chosen);
  const zoneOf = ({ zone: chosen }: typeof blank) => zones.items.find(({ id }) => id === chosen);
  const form = useDraftForm({
    name: 'zone-link',
    initial: blank,
    validate: (values) => ({
      ...(!siteOf(values) && { site: missingChoice }),
      ...(!zoneOf(values) && { zone: missingChoice }),
    }),
  });
  const site = siteOf(form.values);
  const submit = form.submit(async (values) => {
    const pair = { site: siteOf(values), zone: zoneOf(values) };
    if (!pair.site || !pair.zone || linking.busySiteId !== undefined) return;
    if (await linking.link({ site: pair.site, zone: pair.zone })) form.reset();
  });
  return (
    <section aria-labelledby="linking" className={styles['card']}>
      <h2 id="linking">Lier un site à une zone</h2>
      <form noValidate className={styles['form']} onSubmit={submit}>
        <div className={styles['choice']}>
          <OptionSearch label="Chercher un site sans zone" search={sites.search} />
          <SelectField
            label="Site"
            data={[
              { value: '', label: placeholderOf(sites, { none: 'Aucun site sans zone', choose: 'Choisir un site' }) },
              ...sites.items.map(({ id, name, url }) => ({ value: id, label: `${name} (${url})` })),
            ]}
            {...form.field('site')}
            value={site?.id ?? ''}
          />
        </div>
        <div className={styles['choice']}>
          <OptionSearch label="Chercher une zone libre" search={zones.search} />
          <SelectField
            label="Zone"
            data={[
              { value: '', label: placeholderOf(zones, { none: 'Aucune zone libre', choose: 'Choisir une zone' }) },
              ...zones.items.map(({ id, display_name: name }) => ({ value: id, label: name })),
            ]}
            {...form.field('zone')}
            value={zoneOf(form.values)?.id ?? ''}
          />
        </div>
        <Button
          type="submit"
          leftSection={<Link2 size={16} aria-hidden />}
          loading={linking.busySiteId !== undefined && linking.busySiteId === site?.id}
        >
          Lier
        </Button>
      </form>
      <Failure sentence={linking.failure} />
    </section>
  );
}
