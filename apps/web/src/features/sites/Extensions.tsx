import type { Check, Extension } from '@vigie/contracts/inventory';
import type { Site } from '@vigie/contracts/sites';
import { useMediaQuery } from '@mantine/hooks';
import { SearchX } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState';
import { plural } from '../../ui/plural';
import { SearchField } from '../../ui/SearchField';
import { Status } from '../../ui/Status';
import table from '../../ui/Table.module.css';
import { When } from '../../ui/When';
import styles from './Extensions.module.css';
import type { SiteSearch } from './search';
import { activityOf, kindWords, typeWords } from './words';

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });
const foldOf = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase('fr');

type Change = (change: Partial<SiteSearch>) => void;
type Props = { site: Site; search: SiteSearch; onChange: Change };

const keyOf = ({ type, kind, slug }: Extension) => `${type} ${kind} ${slug}`;

/** Those that are asked for; what can be changed comes before what cannot. */
function shownOf({ plugins, themes }: Site, { q = '', type, updates }: SiteSearch): Extension[] {
  const text = foldOf(q.trim());
  return [...plugins, ...themes]
    .filter((one) => (type === undefined || one.type === type) && (!updates || one.hasUpdate))
    .filter(({ name, slug }) => foldOf(name).includes(text) || slug.toLowerCase().includes(text))
    .toSorted(
      (a, b) =>
        Number(a.kind !== 'regular') - Number(b.kind !== 'regular') ||
        a.type.localeCompare(b.type) ||
        collator.compare(a.name, b.name),
    );
}

function Tabs({ site, search, onChange }: Props) {
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

function Version({ one: { version, hasUpdate, new_version: next } }: { one: Extension }) {
  if (!hasUpdate) return version ?? '—';
  return (
    <span className={styles['update']}>
      {`${version ?? '?'} → `}
      <strong>{next ?? 'plus récente'}</strong>
    </span>
  );
}

function Name({ one }: { one: Extension }) {
  const notes = [kindWords[one.kind], one.parent !== null && `enfant de ${one.parent}`].filter(Boolean).join(' · ');
  return (
    <>
      <span className={styles['name']}>{one.name}</span>
      <p className={table['more']}>{[one.slug, notes].filter(Boolean).join(' · ')}</p>
    </>
  );
}

function Activity({ one }: { one: Extension }) {
  const { tone, word } = activityOf(one);
  return <Status tone={tone}>{word}</Status>;
}

function Rows({ shown }: { shown: readonly Extension[] }) {
  const isNarrow = useMediaQuery('(width < 768px)', undefined, { getInitialValueInEffect: false });
  if (isNarrow) {
    return (
      <ul>
        {shown.map((one) => (
          <li key={keyOf(one)} className={styles['card']}>
            <div>
              <Name one={one} />
            </div>
            <div className={styles['side']}>
              <Activity one={one} />
              <span>
                <Version one={one} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <table className={`${table['table']} ${styles['table']}`}>
      <thead>
        <tr>
          <th scope="col" data-column="name">
            Nom
          </th>
          <th scope="col" data-column="type">
            Type
          </th>
          <th scope="col" data-column="status">
            Statut
          </th>
          <th scope="col" data-column="version">
            Version
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((one) => (
          <tr key={keyOf(one)}>
            <th scope="row" className={table['name']}>
              <Name one={one} />
            </th>
            <td>{typeWords[one.type]}</td>
            <td>
              <Activity one={one} />
            </td>
            <td>
              <Version one={one} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** When updates were last looked for with success, and why the newest look told nothing. */
function Checked({ what, check }: { what: string; check: Check | undefined }) {
  if (!check) return null;
  return (
    <p className={styles['check']} data-failed={check.error !== null || undefined}>
      {`Mises à jour des ${what}\u00a0: `}
      {check.checked_at === null ? 'jamais vérifiées' : <When at={check.checked_at} />}
      {check.error !== null && `. Dernière vérification en échec\u00a0: ${check.error}`}
    </p>
  );
}

/** What is installed on a site, as it was last read. */
export function Extensions({ site, search, onChange }: Props) {
  const shown = shownOf(site, search);
  const waiting = [...site.plugins, ...site.themes].filter(({ hasUpdate }) => hasUpdate).length;
  return (
    <section aria-label="Plugins et thèmes" className={styles['section']}>
      <div className={styles['head']}>
        <h2>Plugins et thèmes</h2>
        <Checked what="plugins" check={site.checks?.plugins} />
        <Checked what="thèmes" check={site.checks?.themes} />
      </div>
      <div className={styles['toolbar']}>
        <Tabs site={site} search={search} onChange={onChange} />
        <SearchField
          label="Rechercher un plugin ou un thème"
          className={styles['search']}
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
        />
        <label className={styles['only']}>
          <input
            type="checkbox"
            checked={search.updates === true}
            onChange={(event) => onChange({ updates: event.currentTarget.checked || undefined })}
          />
          {`Mises à jour seulement (${waiting})`}
        </label>
      </div>
      {shown.length > 0 ? (
        <Rows shown={shown} />
      ) : (
        <EmptyState
          icon={SearchX}
          title={search.updates && !search.q ? 'Aucune mise à jour en attente.' : 'Rien ne correspond.'}
        />
      )}
      {(site.facts?.unusable.length ?? 0) > 0 && (
        <p className={styles['foot']}>
          {`${plural(site.facts?.unusable.length ?? 0, 'fichier porte un nom inutilisable', 'fichiers portent un nom inutilisable')}, et Vigie n’y touche pas\u00a0: ${site.facts?.unusable.join(', ')}`}
        </p>
      )}
    </section>
  );
}
