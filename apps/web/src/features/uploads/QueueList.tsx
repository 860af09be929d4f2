import { SendingsList } from '../../app/SendingsList';
import { useSignal } from '../../ui/signal';
import { queue } from './queue';
import { spellSize, typeLabels, versionNotDetected } from './words';

export const QueueList = () => (
  <SendingsList
    sendings={queue}
    items={useSignal(queue.list)}
    factsOf={({ type, file, version }) => [
      typeLabels[type],
      spellSize(file.size),
      ...(version ? [`version ${version}`] : []),
    ]}
    warningOf={({ version }) => (version === null ? versionNotDetected : undefined)}
    onReplace={({ key }) => queue.retry(key, { replaces: true })}
  />
);
