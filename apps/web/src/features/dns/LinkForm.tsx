import { Button, Group, Stack } from '@mantine/core';
import type { FreeSite } from '@vigie/contracts/dns-mapping';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Link2 } from 'lucide-react';
import { type FieldProps, useDraftForm } from '../../kit/form/useDraftForm';
import { Card } from '../../ui/Card';
import { Failure } from '../../ui/Failure';
import { SearchField } from '../../kit/list/SearchField';
import { SelectField } from '../../ui/SelectField';
import type { LinkOptions, Linking } from './useLinking';

type Props = { sites: LinkOptions<FreeSite>; zones: LinkOptions<DnsZone>; linking: Linking };

const blank = { site: '', zone: '' };
const missingChoice = 'À choisir.';

/** The text of the empty option. */
const placeholderOf = ({ items, search }: LinkOptions<unknown>, { none, choose }: { none: string; choose: string }) => {
  if (items.length > 0) return choose;
  return search ? 'Aucun résultat' : none;
};

type ChoiceProps<T> = {
  label: string;
  words: { find: string; none: string; choose: string };
  options: LinkOptions<T>;
  labelOf: (item: T) => string;
  field: FieldProps;
  value: string;
};

const Choice = <T extends { id: string }>({ label, words, options, labelOf, field, value }: ChoiceProps<T>) => (
  <Stack gap={8} flex="1 1 260px" miw={0}>
    {options.search && <SearchField label={words.find} value={options.search.q} onChange={options.search.setQuery} />}
    <SelectField
      label={label}
      data={[
        { value: '', label: placeholderOf(options, words) },
        ...options.items.map((item) => ({ value: item.id, label: labelOf(item) })),
      ]}
      {...field}
      value={value}
    />
  </Stack>
);

/** A missing site or zone is marked, and nothing is sent. */
function useLinkForm({ sites, zones, linking }: Props) {
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
  const submit = form.submit(async (values) => {
    const pair = { site: siteOf(values), zone: zoneOf(values) };
    if (!pair.site || !pair.zone || linking.busySiteId !== undefined) return;
    if (await linking.link({ site: pair.site, zone: pair.zone })) form.reset();
  });
  return { form, submit, site: siteOf(form.values), zone: zoneOf(form.values) };
}

export function LinkForm(props: Props) {
  const { sites, zones, linking } = props;
  const { form, submit, site, zone } = useLinkForm(props);
  const hasError = Object.values(form.errors).some(Boolean);
  // Aligns the button with the fields, above their errors.
  const offset = !hasError ? 0 : sites.search || zones.search ? 64 : 24;
  return (
    <Card component="section" aria-labelledby="linking" p={16}>
      <Stack gap={8}>
        <h2 id="linking">Lier un site à une zone</h2>
        <form noValidate onSubmit={submit}>
          <Group align={hasError ? 'flex-start' : 'flex-end'} gap={12}>
            <Choice
              label="Site"
              words={{ find: 'Chercher un site sans zone', none: 'Aucun site sans zone', choose: 'Choisir un site' }}
              options={sites}
              labelOf={({ name, url }) => `${name} (${url})`}
              field={form.field('site')}
              value={site?.id ?? ''}
            />
            <Choice
              label="Zone"
              words={{ find: 'Chercher une zone libre', none: 'Aucune zone libre', choose: 'Choisir une zone' }}
              options={zones}
              labelOf={({ display_name: name }) => name}
              field={form.field('zone')}
              value={zone?.id ?? ''}
            />
            <LinkButton offset={offset} isBusy={linking.busySiteId !== undefined && linking.busySiteId === site?.id} />
          </Group>
        </form>
        <Failure sentence={linking.failure} />
      </Stack>
    </Card>
  );
}

function LinkButton({ offset, isBusy }: { offset: number; isBusy: boolean }) {
  return (
    <Button
      type="submit"
      flex={{ base: '1 1 100%', sm: 'none' }}
      mt={{ base: 0, sm: offset }}
      leftSection={<Link2 size={16} aria-hidden />}
      loading={isBusy}
    >
      Lier
    </Button>
  );
}
