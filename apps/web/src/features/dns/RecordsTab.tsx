import { Button } from '@mantine/core';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Globe, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { parseSort, sortControls } from '../../kit/list/search-params';
import { useListQuery } from '../../kit/list/useListQuery';
import { EmptyState } from '../../ui/EmptyState';
import { ListFrame, ListScreen } from '../../kit/list/ListScreen';
import { plural } from '../../ui/plural';
import { SelectionBar } from '../../kit/list/SelectionBar';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow } from '../../kit/list/usePages';
import { type Selection, useSelection } from '../../kit/list/useSelection';
import { useDebouncedSearch } from '../../kit/list/SearchField';
import { BulkDelete, BulkEdit, DeleteRecord } from './RecordDialogs';
import { HistoryPanel } from './HistoryPanel';
import { ImportDialog } from './ImportDialog';
import { LintPanel } from './LintPanel';
import { RecordEditor } from './RecordEditor';
import { recordColumnLabels, RecordsTable, useServerOfZone } from './RecordsTable';
import { RecordsToolbar } from './RecordsToolbar';
import { recordsApi } from './records.api';
import { type Change, recordColumns, type ZonesSearch } from './search';
import { ZoneHead } from './ZoneHead';
import { zonesApi } from './zones.api';

const pageSize = 100;

type Search = ZonesSearch & { panel?: 'profile' | undefined };
type Props = { zoneId: string; search: Search; show: Change };

function useRecords({ zoneId, search: { q = '', type, sort, page = 1 } }: Omit<Props, 'show'>) {
  const { column, isDescending } = parseSort(recordColumns, sort);
  const params = {
    zone_id: zoneId,
    q: useDebouncedSearch(q),
    type,
    sort: isDescending ? (`-${column}` as const) : column,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  };
  const answer = recordsApi.useRecordsQuery(params, { refetchOnMountOrArgChange: true, refetchOnFocus: true });
  return useListQuery(answer, 'Failed to load records');
}

const NoRecords = ({ show }: Pick<Props, 'show'>) => (
  <EmptyState
    icon={Globe}
    title="Cette zone n’a aucun enregistrement."
    actions={<Button onClick={() => show({ record: 'new' })}>Ajouter un enregistrement</Button>}
  />
);

/** Keeps the edited record when the list no longer has it: it may have been deleted elsewhere. */
function useEdited(records: readonly DnsRecord[], open: string | undefined): DnsRecord | undefined {
  const [lastEdited, setLastEdited] = useState<DnsRecord>();
  const found = records.find(({ id, editable }) => id === open && editable);
  if (found && found.id !== lastEdited?.id) setLastEdited(found);
  return found ?? (lastEdited?.id === open ? lastEdited : undefined);
}

type RecordsListProps = Omit<Props, 'zoneId'> & {
  zone: DnsZone;
  records: readonly DnsRecord[];
  edited: DnsRecord | undefined;
  selection: Selection;
  onDelete: (record: DnsRecord) => void;
};

function RecordsList({ zone, records, edited, search, show, selection, onDelete }: RecordsListProps) {
  const server = useServerOfZone(zone);
  const open = edited?.id ?? (search.record === 'new' ? 'new' : undefined);
  const isOutsidePage = edited !== undefined && !records.some(({ id }) => id === edited.id);
  const editor = open !== undefined && (
    <RecordEditor
      key={open}
      zone={zone}
      record={edited}
      onSaved={() => show({ record: undefined }, { isSaved: true })}
      onClose={() => show({ record: undefined })}
    />
  );
  return (
    <RecordsTable
      records={isOutsidePage ? [edited, ...records] : records}
      server={server}
      selection={selection}
      actions={{ edit: ({ id }) => show({ record: id === search.record ? undefined : id }), remove: onDelete }}
      sorting={sortControls(recordColumns, recordColumnLabels, search.sort, show)}
      open={open}
      editor={editor}
    />
  );
}

type SelectionActionsProps = {
  zone: DnsZone;
  records: readonly DnsRecord[];
  selection: Selection;
};

/** The bulk actions on the selected records. */
function SelectionActions({ zone, records, selection }: SelectionActionsProps) {
  const { ids, chooseAll } = selection;
  const [openDialog, setOpenDialog] = useState<'edit' | 'delete'>();
  const [chosenRecords, setChosenRecords] = useState<readonly DnsRecord[]>([]);
  const close = () => setOpenDialog(undefined);
  // Keeps the records as they were when the dialog opened, even if the list is read again.
  const open = (dialog: 'edit' | 'delete') => {
    setChosenRecords(records.filter(({ id }) => ids.includes(id)));
    setOpenDialog(dialog);
  };
  const finish = () => {
    close();
    chooseAll(false);
  };
  const BulkDialog = openDialog === 'delete' ? BulkDelete : BulkEdit;
  return (
    <>
      <SelectionBar
        selection={selection}
        count={plural(ids.length, 'enregistrement sélectionné', 'enregistrements sélectionnés')}
      >
        <Button leftSection={<Pencil size={16} aria-hidden />} onClick={() => open('edit')}>
          Modifier…
        </Button>
        <Button
          variant="default"
          color="danger"
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={() => open('delete')}
        >
          Supprimer…
        </Button>
      </SelectionBar>
      {openDialog && (
        <BulkDialog key={openDialog} zone={zone} records={chosenRecords} onDone={finish} onClose={close} />
      )}
    </>
  );
}

/** Only one panel fits: the profile hides this one. */
function RecordsSidePanel({ zone, search, show }: Omit<Props, 'zoneId'> & { zone: DnsZone }) {
  if (search.panel !== undefined) return null;
  if (search.side === 'history') return <HistoryPanel zone={zone} snapshot={search.snapshot} show={show} />;
  return search.side === 'lint' ? <LintPanel zone={zone} show={show} /> : null;
}

const useZone = (id: string) =>
  useListQuery(zonesApi.useZoneQuery({ id }, { refetchOnMountOrArgChange: true }), 'Failed to load zone');

/** The text of the empty list while a filter is on. */
const noMatch = ({ search: { q, type }, show }: Pick<Props, 'search' | 'show'>) =>
  (q !== undefined || type !== undefined) && {
    title: 'Aucun enregistrement ne correspond.',
    onClear: () => show({ q: undefined, type: undefined, page: undefined }),
  };

export function RecordsTab({ zoneId, search, show }: Props) {
  const zone = useZone(zoneId);
  const answer = useRecords({ zoneId, search });
  const { data, isRefreshing, refresh } = answer;
  const records = pageToShow(answer)?.records ?? [];
  const edited = useEdited(records, search.record);
  const selection = useSelection(records.filter(({ editable }) => editable).map(({ id }) => id));
  const [deleting, setDeleting] = useState<DnsRecord>();
  const [isImporting, setImporting] = useState(false);
  if (!zone.data) return <ListFrame answer={zone}>{<Skeleton rows={6} />}</ListFrame>;
  const shared = { zone: zone.data, search, show };
  const list = (
    <RecordsList {...shared} records={records} edited={edited} selection={selection} onDelete={setDeleting} />
  );
  const isEditing = search.record === 'new' || edited !== undefined;
  return (
    <>
      <ZoneHead zone={zone.data} drift={data?.drift ?? null} show={show} onImport={() => setImporting(true)} />
      <ListScreen
        answer={answer}
        tools={<RecordsToolbar {...shared} list={{ isBusy: isRefreshing, run: refresh }} records={data} />}
        page={search.page}
        pageSize={pageSize}
        onPage={(page) => show({ page })}
        noMatch={!isEditing && noMatch(shared)}
        empty={isEditing ? list : <NoRecords show={show} />}
      >
        {() => list}
      </ListScreen>
      <SelectionActions zone={zone.data} records={records} selection={selection} />
      <RecordsSidePanel {...shared} />
      {deleting && (
        <DeleteRecord key={deleting.id} zone={zone.data} record={deleting} onClose={() => setDeleting(undefined)} />
      )}
      {isImporting && <ImportDialog zone={zone.data} onClose={() => setImporting(false)} />}
    </>
  );
}
