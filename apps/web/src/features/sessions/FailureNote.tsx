import { Callout } from '../../ui/Callout';
import type { Failure } from './failure';
import { Wait } from './Wait';

/** The place of the alert is there before it speaks: a voice reads only what changes in it. */
export function FailureNote({ failure }: { failure: Failure | undefined }) {
  return (
    <>
      <div role="alert">{failure && <Callout tone="danger">{failure.sentence}</Callout>}</div>
      {failure?.retryAfter !== undefined && <Wait key={failure.retryAfter} seconds={failure.retryAfter} />}
    </>
  );
}
