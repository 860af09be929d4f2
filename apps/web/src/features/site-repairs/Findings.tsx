import type { RepairCheck } from '@vigie/contracts/site-repairs';
import type { ReactNode } from 'react';
import { Status, type Tone } from '../../ui/Status';
import { When } from '../../ui/When';
import styles from './RepairsPanel.module.css';
import { bootOf, maintenanceOf, pageOf, placeOf } from './words';

function Finding({ name, said, children }: { name: string; said: { tone: Tone; word: string }; children?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Status tone={said.tone}>{said.word}</Status>
        {children}
      </dd>
    </div>
  );
}

function Where({ message, place }: { message: string; place: string | undefined }) {
  return (
    <>
      {place !== undefined && <code className={styles['place']}>{place}</code>}
      {message !== '' && <pre className={styles['message']}>{message}</pre>}
    </>
  );
}

/** What was seen, each by itself. */
export function Findings({ look }: { look: RepairCheck }) {
  const { boot, pages, maintenance, last_fatal: fatal } = look;
  const { problem } = boot;
  return (
    <dl className={styles['findings']}>
      <Finding name="WordPress" said={bootOf(boot)}>
        {problem && <Where message={problem.message} place={placeOf(problem)} />}
      </Finding>
      <Finding name="Page d’accueil" said={pageOf(pages.home)} />
      <Finding name="Page de connexion" said={pageOf(pages.login)} />
      <Finding name="Maintenance" said={maintenanceOf(maintenance)}>
        {maintenance && (
          <p className={styles['about']}>
            {'.maintenance, '}
            <When at={maintenance.made_at} />
          </p>
        )}
      </Finding>
      <Finding
        name="Dernière erreur fatale"
        said={
          fatal ? { tone: 'neutral', word: 'Dans ses journaux' } : { tone: 'neutral', word: 'Aucune dans ses journaux' }
        }
      >
        {fatal && (
          <>
            {fatal.at !== null && (
              <p className={styles['about']}>
                <When at={fatal.at} />
                {fatal.culprit && fatal.culprit.type !== 'core' && ` · ${fatal.culprit.slug}`}
              </p>
            )}
            <Where message={fatal.message} place={placeOf(fatal)} />
          </>
        )}
      </Finding>
    </dl>
  );
}
