import { Box, Group, Text } from '@mantine/core';
import type { ArchiveAbout, ArchiveEntry } from '@vigie/contracts/backups';
import { File, Folder, History, Save, SearchX, Table2 } from 'lucide-react';
import { Fragment } from 'react';
import { failureReason } from '../../kit/query/failures';
import { ReadFailed } from '../../ui/ReadFailed';
import facts from '../../ui/About.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { IconButton } from '../../ui/IconButton';
import { Lines } from '../../ui/Lines';
import table from '../../kit/list/list.module.css';
import { Pager } from '../../kit/list/Pager';
import { plural } from '../../ui/plural';
import { SearchField } from '../../kit/list/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { usePages } from '../../kit/list/usePages';
import { useFocusHandOver } from '../../ui/focus';
import styles from './backups.module.css';
import { type ArchiveRef, archivesApi, type Listing, listingOf, pageSize } from './backups.api';
import type { ArchiveSearch } from './search';
import { databaseDump, parentFolders, describeEntry } from './words';

type Part = { path: string; kind: 'file' | 'table' };
type Props = {
  archive: ArchiveRef;
  search: ArchiveSearch;
  onChange: (change: Partial<ArchiveSearch>) => void;
  onSave: (part: Part) => void;
  pendingPath: string | undefined;
  /** Undefined for an entry that cannot be restored. */
  restoreOf: (entry: ArchiveEntry) => (() => void) | undefined;
};

const icons = { folder: Folder, file: File, table: Table2 } as const;

function About({ about }: { about: ArchiveAbout }) {
  const known = [
    ['Site', about.site_url],
    ['WordPress', about.wordpress],
    ['PHP', about.php],
    ['Base de données', about.database],
    ['Thème', about.theme],
  ].filter(([, value]) => value !== null);
  return (
    <>
      <Box component="dl" className={facts['about']} fz={13}>
        {known.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </Box>
      <Text variant="hint">
        {plural(about.entries, 'entrée', 'entrées')}
        {about.plugins > 0 && ` · ${plural(about.plugins, 'plugin', 'plugins')}`}
        {!about.is_ours && ' · Archive faite ailleurs que par Vigie'}
      </Text>
    </>
  );
}

function FolderPath({ folder, onOpen }: { folder: string; onOpen: (path: string) => void }) {
  const parents = parentFolders(folder);
  return (
    <Group
      component="nav"
      aria-label="Dossier"
      tabIndex={-1}
      data-folder-path
      gap="0 4px"
      fz={13}
      className={styles['path'] ?? ''}
    >
      <button type="button" onClick={() => onOpen('')} aria-current={folder === '' ? 'location' : undefined}>
        Archive
      </button>
      {parents.map(({ name, path }) => (
        <Fragment key={path}>
          <span aria-hidden>/</span>
          <button type="button" onClick={() => onOpen(path)} aria-current={path === folder ? 'location' : undefined}>
            {name}
          </button>
        </Fragment>
      ))}
    </Group>
  );
}

type EntryProps = { entry: ArchiveEntry; isSearchResult: boolean; onOpen: (path: string) => void } & Pick<
  Props,
  'onSave' | 'pendingPath' | 'restoreOf'
>;

function EntryRow({ entry, isSearchResult, onOpen, onSave, pendingPath, restoreOf }: EntryProps) {
  const { kind, name, path } = entry;
  const Icon = icons[kind];
  const line = useFocusHandOver<HTMLLIElement>('[data-folder-path]');
  const restore = restoreOf(entry);
  const canOpen = kind === 'folder' || (kind === 'file' && path === databaseDump);
  return (
    <li ref={line} className={styles['entry']}>
      <Icon size={16} strokeWidth={1.5} aria-hidden />
      <div>
        {canOpen ? (
          <button type="button" className={styles['open']} onClick={() => onOpen(path)}>
            {isSearchResult ? path : name}
          </button>
        ) : (
          <span>{isSearchResult ? path : name}</span>
        )}
        <p className={table['more']}>{describeEntry(entry)}</p>
      </div>
      {kind !== 'folder' && (
        <IconButton
          icon={Save}
          title="Enregistrer"
          label={`Enregistrer ${name}`}
          disabled={pendingPath === path}
          onClick={() => onSave({ path, kind })}
        />
      )}
      {restore && <IconButton icon={History} title="Restaurer" label={`Restaurer ${name}`} onClick={restore} />}
    </li>
  );
}

type EntryListProps = Props & { listing: Listing; isFetching: boolean };

function EntryList({ listing: { about, items, total }, isFetching, search, onChange, ...rest }: EntryListProps) {
  const { folder = '', find, sheet = 1 } = search;
  const open = (path: string) => onChange({ folder: path || undefined, find: undefined, sheet: undefined });
  const goTo = usePages({ page: sheet, size: pageSize, total }, (next) => onChange({ sheet: next }));
  return (
    <>
      {folder === '' && find === undefined && <About about={about} />}
      <FolderPath folder={folder} onOpen={open} />
      <Text component="output" variant="hint">
        {find === undefined ? plural(total, 'élément', 'éléments') : plural(total, 'résultat', 'résultats')}
      </Text>
      {total === 0 && (
        <EmptyState icon={SearchX} title={find === undefined ? 'Ce dossier est vide.' : 'Rien ne correspond.'} />
      )}
      <Lines aria-label="Contenu" aria-busy={isFetching} fz={13}>
        {items.map((entry) => (
          <EntryRow
            key={`${entry.kind} ${entry.path}`}
            entry={entry}
            isSearchResult={find !== undefined}
            onOpen={open}
            {...rest}
          />
        ))}
      </Lines>
      <Pager page={sheet} size={pageSize} total={total} onChange={goTo} />
    </>
  );
}

/** Shows one folder of an archive, or the search results in the folder and its subfolders. */
export function ArchiveTree(props: Props) {
  const { archive, search, onChange } = props;
  const { find = '' } = search;
  const { data, error, isFetching, refetch } = archivesApi.useArchiveQuery(listingOf(archive, search));
  return (
    <>
      <SearchField
        label="Rechercher dans l’archive"
        value={find}
        onChange={(text) => onChange({ find: text || undefined, sheet: undefined })}
      />
      {error ? (
        <ReadFailed
          sentence={failureReason(error, 'Impossible de lire cette archive.')}
          isBusy={isFetching}
          onRetry={refetch}
        />
      ) : data ? (
        <EntryList {...props} listing={data} isFetching={isFetching} />
      ) : (
        <Skeleton rows={6} />
      )}
    </>
  );
}
