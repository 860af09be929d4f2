import { Checkbox, Stack, Text } from '@mantine/core';
import { siteColumns } from '@vigie/contracts/site-views';
import { ChevronDown, Download, Ellipsis, FolderSearch, PlugZap, SlidersHorizontal, Upload } from 'lucide-react';
import { sortControls } from '../../kit/list/search-params';
import { SortChoice } from '../../kit/list/SortChoice';
import { Dropdown } from '../../ui/Dropdown';
import { MenuItems } from '../../ui/MenuItems';
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

export type SitesMenuActions = {
  /** Looks for sites on a server. */
  onDiscover: () => void;
  onImportCsv: () => void;
  /** Exports these sites, or all that the filters show. */
  onExport: (ids?: readonly string[]) => void;
};

type MoreProps = Pick<SitesMenuActions, 'onExport'> & { tests: (AsyncAction & { label: string }) | undefined };

/** What can be done with the list besides filtering it. */
export const MoreMenu = ({ tests, onExport }: MoreProps) => (
  <Dropdown label="Plus" icon={Ellipsis} isIcon>
    {(close) => (
      <MenuItems
        close={close}
        items={[
          ...(tests ? [{ label: tests.label, icon: PlugZap, isDisabled: tests.isBusy, run: tests.run }] : []),
          { label: 'Exporter en CSV', icon: Download, run: () => onExport() },
        ]}
      />
    )}
  </Dropdown>
);

/** The other ways to add sites. */
export const AddMenu = ({ onDiscover, onImportCsv }: Omit<SitesMenuActions, 'onExport'>) => (
  <Dropdown label="Ajouter autrement" icon={ChevronDown} isIcon>
    {(close) => (
      <MenuItems
        close={close}
        items={[
          { label: 'Découvrir sur un serveur', icon: FolderSearch, run: onDiscover },
          { label: 'Importer un CSV', icon: Upload, run: onImportCsv },
        ]}
      />
    )}
  </Dropdown>
);
