import { TimeAgo } from '../../ui/TimeAgo';
import { useTodo } from './dashboard.api';

/** When the list of things to do was last read. */
export function LastUpdate() {
  const { fulfilledTimeStamp: at } = useTodo();
  return (
    <>
      Dernière mise à jour{'\u00a0'}: {at === undefined ? '…' : <TimeAgo at={new Date(at).toISOString()} often />}
    </>
  );
}
