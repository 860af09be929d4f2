import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { siteColumns } from '@vigie/contracts/site-views';
import { ChevronDown, Ellipsis, PlugZap, Server, SlidersHorizontal } from 'lucide-react';
import { sortControls } from '../../kit/list/search-params';
import { SortChoice } from '../../kit/list/SortChoice';
import { Dropdown } from '../../ui/Dropdown';
import type { AsyncAction } from '../../ui/RefreshButton';
import { SelectField } from '../../ui/SelectField';
import { useSignal } from '../../ui/signal';
import { useNarrow } from '../../ui/useNarrow';
import { chooseColumns, chosenColumns, isCompact } from './columns';
import { columns, firstSort, pageSizes, type SitesSearch } from './search';
import styles from './sites.module.css';
import { columnLabels } from './words';

export type Change = (change: Partial<SitesSearch>) => void;
type Props = { search: SitesSearch; onChange: Change };

/** The columns of the list; those that find no room are hidden, the least important first. */
function ColumnChoice() {
  const chosen = useSignal(chosenColumns);
  return (
    <fieldset>
      <Text component="legend" variant="hint" p="4px 8px">
        Colonnes affichées
      </Text>
      {siteColumns.map((column) => (
        <Checkbox
          key={column}
          className={styles['column'] ?? ''}
          w="auto"
          px={8}
          bdrs="sm"
          label={columnLabels[column]}
          checked={chosen.includes(column)}
          onChange={({ currentTarget: { checked } }) =>
            chooseColumns(checked ? [...chosen, column] : chosen.filter((other) => other !== column))
          }
        />
      ))}
      <Text variant="hint" p="4px 8px" maw={240}>
        Sur un écran étroit, seules les plus importantes sont montrées.
      </Text>
    </fieldset>
  );
}

const PageSize = ({ search: { size }, onChange }: Props) => (
  <SelectField
    aria-label="Sites par page"
    data={pageSizes.map((count) => ({ value: String(count), label: `${count} par page` }))}
    value={String(size ?? pageSizes[0])}
    onChange={({ currentTarget: { value } }) =>
      onChange({ size: value === '200' ? 200 : value === '1000' ? 1_000 : undefined, page: undefined })
    }
  />
);

const Compactness = () => (
  <Checkbox
    className={styles['column'] ?? ''}
    w="auto"
    px={8}
    bdrs="sm"
    label="Compact"
    checked={useSignal(isCompact)}
    onChange={({ currentTarget: { checked } }) => isCompact.set(checked)}
  />
);

/** How the list is drawn: its order, the length of its pages, the height of its rows and its columns. */
export function DisplayMenu({ search, onChange }: Props) {
  const isNarrow = useNarrow();
  return (
    <Dropdown label="Affichage" icon={SlidersHorizontal}>
      <Stack gap={8}>
        <SortChoice {...sortControls(columns, columnLabels, search.sort, onChange, firstSort)} />
        <PageSize search={search} onChange={onChange} />
        {!isNarrow && <Compactness />}
        <ColumnChoice />
      </Stack>
    </Dropdown>
  );
}

/** What can be done with the list besides filtering it. */
export const MoreMenu = ({ tests }: { tests: AsyncAction & { label: string } }) => (
  <Dropdown label="Plus" icon={Ellipsis} isIcon>
    {(close) => (
      <Stack gap={4}>
        <Button
          variant="subtle"
          justify="flex-start"
          disabled={tests.isBusy}
          leftSection={<PlugZap size={16} aria-hidden />}
          onClick={() => {
            close();
            tests.run();
          }}
        >
          {tests.label}
        </Button>
      </Stack>
    )}
  </Dropdown>
);

/** The other ways to add sites. */
export const AddMenu = () => (
  <Dropdown label="Ajouter autrement" icon={ChevronDown} isIcon>
    <Stack gap={4}>
      <Button
        variant="subtle"
        justify="flex-start"
        leftSection={<Server size={16} aria-hidden />}
        renderRoot={(props) => <Link {...props} to="/servers" search={{}} />}
      >
        Découvrir sur un serveur
      </Button>
    </Stack>
  </Dropdown>
);
