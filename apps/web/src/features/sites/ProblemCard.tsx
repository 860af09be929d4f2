import type { SiteProblem } from '@vigie/contracts/inventory';
import { OctagonX } from 'lucide-react';
import { useId } from 'react';
import styles from './ProblemCard.module.css';
import { titleOf } from './words';

/** What stops the site, and where: the first thing to read of one that is down. */
export function ProblemCard({ problem }: { problem: SiteProblem }) {
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
        {culprit && (culprit.type === 'plugin' || culprit.type === 'theme') && (
          <p className={styles['hint']}>
            {
              'Vigie a lu ses fichiers sans le démarrer\u00a0: l’inventaire ci-dessous reste juste, ses mises à jour datent de la dernière vérification réussie.'
            }
          </p>
        )}
      </div>
    </section>
  );
}
