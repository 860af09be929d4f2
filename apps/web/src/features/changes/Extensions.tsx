import { Button } from '@mantine/core';
import type { UpdateCheck } from '@vigie/contracts/inventory';
import type { Site, SiteExtension } from '@vigie/contracts/sites';
import { ArrowUpCircle, PackagePlus, SearchX } from 'lucide-react';
import { useState } from 'react';
import { CheckField } from '../../ui/CheckField';
import { EmptyState } from '../../ui/EmptyState';
import { plural } from '../../ui/plural';
import { SearchField } from '../../ui/SearchField';
import { SelectionBar } from '../../ui/SelectionBar';
import { useSelection } from '../../ui/useSelection';
import { When } from '../../ui/When';
import styles from './Extensions.module.css';
import { GoBackDialog } from './GoBackDialog';
import { InstallDialog } from './InstallDialog';
import { ItemsTable } from './ItemsTable';
import { Newcomers } from './Newcomers';
import { orderOf } from './orders';
import type { ItemsSearch } from './search';
import { rowKeyOf, shownOf } from './shown';
import { UpdateItems } from './UpdateItems';
import { type SiteRead, useSiteChanges } from './useSiteChanges';

type Change = (change: Partial<ItemsSearch>) => void;
type Props = SiteRead & { search: ItemsSearch; onChange: Change };

function Tabs({ site, search, onChange }: { site: Site; search: ItemsSearch; onChange: Change }) {
  const tabs = [
    { type: undefined, label: 'Tous', count: site.plugins.length + site.themes.length },
    { type: 'plugin', label: 'Plugins', count: site.plugins.length },
    { type: 'theme', label: 'Thèmes', count: site.themes.length },
  ] as const;
  return (
    <fieldset aria-label="Type" className={styles['tabs']}>
      {tabs.map(({ type, label, count }) => (
        <button
          key={label}
          type="button"
          aria-pressed={search.type === type}
          className={styles['tab']}
          onClick={() => onChange({ type })}
        >
          {label}
          <span>{count}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** The last successful update check, and why a newer one failed. */
function Checked({ what, check }: { what: string; check: UpdateCheck | undefined }) {
  if (!check) return null;
  return (
    <p className={styles['check']} data-failed={check.error !== null || undefined}>
      {`Mises à jour des ${what}\u00a0: `}
      {check.checked_at === null ? 'jamais vérifiées' : <When at={check.checked_at} />}
      {check.error !== null && `. Dernière vérification en échec\u00a0: ${check.error}`}
    </p>
  );
}

function Head({ site, onInstall }: { site: Site; onInstall: () => void }) {
  return (
    <div className={styles['head']}>
      <div>
        <h2>Plugins et thèmes</h2>
        <Checked what="plugins" check={site.checks?.plugins} />
        <Checked what="thèmes" check={site.checks?.themes} />
      </div>
      <Button variant="default" leftSection={<PackagePlus size={16} aria-hidden />} onClick={onInstall}>
        Installer depuis les uploads
      </Button>
    </div>
  );
}

function Toolbar({ site, search, onChange }: { site: Site; search: ItemsSearch; onChange: Change }) {
  const waiting = [...site.plugins, ...site.themes].filter(({ hasUpdate }) => hasUpdate).length;
  return (
    <div className={styles['toolbar']}>
      <Tabs site={site} search={search} onChange={onChange} />
      <SearchField
        label="Rechercher un plugin ou un thème"
        className={styles['search']}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <CheckField
        label={`Mises à jour seulement (${waiting})`}
        isOn={search.updates === true}
        onChange={(isOn) => onChange({ updates: isOn || undefined })}
      />
    </div>
  );
}

function Unusable({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className={styles['foot']}>
      {`${plural(names.length, 'fichier porte un nom inutilisable', 'fichiers portent un nom inutilisable')}, et Vigie n’y touche pas\u00a0: ${names.join(', ')}`}
    </p>
  );
}

/** The open dialog. An installation without an item offers all uploads. */
type Open =
  | { is: 'install'; one?: SiteExtension }
  | { is: 'restore'; one: SiteExtension }
  | { is: 'update'; items: readonly SiteExtension[] };

type OverProps = SiteRead & { changes: ReturnType<typeof useSiteChanges>; open: Open; onClose: () => void };

function Over({ site, changes, open, onClose }: OverProps) {
  if (open.is === 'install') {
    return <InstallDialog site={site} one={open.one} onInstall={changes.start} onClose={onClose} />;
  }
  if (open.is === 'update') return <UpdateItems site={site} items={open.items} onClose={onClose} />;
  const { name, type, slug, version, previous } = open.one;
  if (!previous) return null;
  const order = orderOf('restore', { kind: type, slug });
  return (
    <GoBackDialog
      name={name}
      version={version}
      previous={previous}
      onRestore={() => changes.start(order)}
      onClose={onClose}
    />
  );
}

/** The plugins and themes of a site, as they were last read. */
export function Extensions({ site, readAt, search, onChange }: Props) {
  const changes = useSiteChanges({ site, readAt });
  const [open, setOpen] = useState<Open>();
  const shown = shownOf(site, search);
  const regular = shown.filter(({ kind }) => kind === 'regular');
  const selection = useSelection(regular.map(rowKeyOf));
  const chosen = regular.filter((one) => selection.ids.includes(rowKeyOf(one)));
  const waiting = chosen.filter(({ hasUpdate }) => hasUpdate);
  const deeds = {
    change: ({ type, slug }: SiteExtension, verb: 'update' | 'activate' | 'deactivate') =>
      void changes.start(orderOf(verb, { kind: type, slug })),
    install: (one: SiteExtension) => setOpen({ is: 'install', one }),
    restore: (one: SiteExtension) => setOpen({ is: 'restore', one }),
  };
  return (
    <>
      <section aria-label="Plugins et thèmes" className={styles['section']}>
        <Head site={site} onInstall={() => setOpen({ is: 'install' })} />
        <Newcomers site={site} changes={changes} />
        <Toolbar site={site} search={search} onChange={onChange} />
        {shown.length > 0 ? (
          <ItemsTable shown={shown} selection={selection} deeds={deeds} changes={changes} />
        ) : (
          <EmptyState
            icon={SearchX}
            title={search.updates && !search.q ? 'Aucune mise à jour en attente.' : 'Rien ne correspond.'}
          />
        )}
        <Unusable names={site.facts?.unusable ?? []} />
        {open && <Over site={site} readAt={readAt} changes={changes} open={open} onClose={() => setOpen(undefined)} />}
      </section>
      {chosen.length > 0 && (
        <SelectionBar
          count={plural(chosen.length, 'élément sélectionné', 'éléments sélectionnés')}
          onClear={() => selection.chooseAll(false)}
        >
          <Button
            disabled={waiting.length === 0}
            title={waiting.length === 0 ? 'Aucune mise à jour parmi les éléments choisis' : undefined}
            leftSection={<ArrowUpCircle size={16} aria-hidden />}
            onClick={() => setOpen({ is: 'update', items: chosen })}
          >
            Mettre à jour
          </Button>
        </SelectionBar>
      )}
    </>
  );
}
