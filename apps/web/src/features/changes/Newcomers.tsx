import type { Site } from '@vigie/contracts/sites';
import styles from './Extensions.module.css';
import { ItemNews } from './ItemNews';
import { coreItem, keyOf } from './orders';
import type { SiteChanges } from './useSiteChanges';

/** Jobs of items that the site does not list, because they are being installed or were removed. */
export function Newcomers({ site, changes }: { site: Site; changes: SiteChanges }) {
  const known = new Set([
    keyOf(coreItem),
    ...[...site.plugins, ...site.themes]
      .filter(({ kind }) => kind === 'regular')
      .map(({ type, slug }) => keyOf({ kind: type, slug })),
  ]);
  const keys = [...new Set([...changes.states.keys(), ...changes.asking, ...changes.refusals.keys()])];
  const lines = keys
    .filter((key) => !known.has(key))
    .map((key) => ({ key, standing: changes.of(key) }))
    .filter(({ standing: { isBusy, failed, refusal } }) => isBusy || failed !== undefined || refusal !== undefined);
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Installations" className={styles['newcomers']}>
      {lines.map(({ key, standing }) => {
        const name = (standing.open ?? standing.failed)?.about ?? key.split(' ')[1] ?? key;
        return (
          <li key={key}>
            <p className={styles['name']}>{name}</p>
            <ItemNews name={name} standing={standing} onDismiss={(job) => changes.dismiss(key, job)} />
          </li>
        );
      })}
    </ul>
  );
}
