import type { SiteProblem } from '@vigie/contracts/inventory';
import type { Site } from '@vigie/contracts/sites';
import { OctagonX } from 'lucide-react';
import { useId } from 'react';
import styles from './ProblemCard.module.css';
import { RepairsLink } from './RepairsLink';
import { spellInventory, titleOf } from './words';

type Props = { id: string; problem: SiteProblem; state: Site['facts'] };

/** Shows the error that stops the site, with a link to the repairs. */
export function ProblemCard({ id, problem, state }: Props) {
  const heading = useId();
  const { file, line, message, culprit } = problem;
  return (
    <section aria-labelledby={heading} className={styles['problem']}>
      <OctagonX size={18} aria-hidden />
      <div className={styles['text']}>
        <h2 id={heading}>{titleOf(problem)}</h2>
        {file !== null && (
          <p>
            <code className={styles['place']}>{line === null ? file : `${file}:${line}`}</code>
          </p>
        )}
        {message !== '' && <pre className={styles['message']}>{message}</pre>}
        {state && culprit && (culprit.type === 'plugin' || culprit.type === 'theme') && (
          <p className={styles['hint']}>{spellInventory({ depth: state.depth, problem })}</p>
        )}
        <div>
          <RepairsLink id={id}>Voir ce que Vigie propose</RepairsLink>
        </div>
      </div>
    </section>
  );
}
