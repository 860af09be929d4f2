import type { ReactNode } from 'react';
import { Callout } from './Callout';

/** An error message where the action was started. The alert is always in the document, so that screen readers read its change. */
export function Failure({ sentence, children }: { sentence: string | undefined; children?: ReactNode }) {
  return (
    <div role="alert">
      {sentence !== undefined && (
        <Callout tone="danger">
          <p>{sentence}</p>
          {children}
        </Callout>
      )}
    </div>
  );
}
