import type { ReactNode } from 'react';
import { Callout } from './Callout';
import styles from './Failure.module.css';

/** Why something failed, where it was asked for; read aloud when it comes. */
export function Failure({ sentence, children }: { sentence: string | undefined; children?: ReactNode }) {
  return (
    <div role="alert" className={styles['place']}>
      {sentence !== undefined && (
        <Callout tone="danger">
          <p>{sentence}</p>
          {children}
        </Callout>
      )}
    </div>
  );
}
