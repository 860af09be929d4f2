import type { ReactNode } from 'react';
import { Callout } from './Callout';
import styles from './Failure.module.css';

/** An error message where the action was started. The alert is always in the document, so that screen readers read its change. */
export function Failure({ sentence, children }: { sentence: string | undefined; children?: ReactNode }) {
  return (
    <div role="alert" className={styles['region']}>
      {sentence !== undefined && (
        <Callout tone="danger">
          <p>{sentence}</p>
          {children}
        </Callout>
      )}
    </div>
  );
}
