import type { BulkResult } from '@vigie/contracts/dns-changes';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import styles from './Side.module.css';
import { resultStates } from './words';

type Props = {
  result: BulkResult;
  /** What each of what was asked is called. */
  nameOf: (index: number) => string;
};

/** What was not done, each with why; shown where not all of it was. */
export function Outcome({ result: { results, done, stopped, retry_after: wait }, nameOf }: Props) {
  const left = results.filter(({ state }) => state !== 'done');
  return (
    <div role="alert">
      <Callout tone="warn">
        <p>
          {`${plural(done, 'changement enregistré', 'changements enregistrés')}, ${plural(left.length, 'reste', 'restent')} à faire.`}
        </p>
        {stopped !== null && <p>{stopped}</p>}
        {wait !== null && <p>{`Réessayez dans ${plural(wait, 'seconde', 'secondes')}.`}</p>}
      </Callout>
      <ul aria-label="Ce qui n’a pas été fait">
        {left.map(({ index, state, message }) => (
          <li key={index} className={styles['line']}>
            <code>{nameOf(index)}</code>
            <p className={styles['about']}>{message ?? resultStates[state]}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
