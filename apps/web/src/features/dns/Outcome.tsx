import type { BulkResult } from '@vigie/contracts/dns-changes';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import styles from './Side.module.css';
import { resultStates } from './words';

type Props = {
  result: BulkResult;
  /** Names the change with this index in the request. */
  nameOf: (index: number) => string;
};

/** Lists the changes that were not made, each with its reason. */
export function Outcome({ result: { results, done, stopped, retry_after: retryAfter }, nameOf }: Props) {
  const remaining = results.filter(({ state }) => state !== 'done');
  return (
    <div role="alert">
      <Callout tone="warn">
        <p>
          {`${plural(done, 'changement enregistré', 'changements enregistrés')}, ${plural(remaining.length, 'reste', 'restent')} à faire.`}
        </p>
        {stopped !== null && <p>{stopped}</p>}
        {retryAfter !== null && <p>{`Réessayez dans ${plural(retryAfter, 'seconde', 'secondes')}.`}</p>}
      </Callout>
      <ul aria-label="Ce qui n’a pas été fait">
        {remaining.map(({ index, state, message }) => (
          <li key={index} className={styles['line']}>
            <code>{nameOf(index)}</code>
            <p className={styles['about']}>{message ?? resultStates[state]}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
