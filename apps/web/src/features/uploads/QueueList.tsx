import { UploadQueueList } from '../../kit/uploads/UploadQueueList';
import { useSignal } from '../../ui/signal';
import { queue } from './queue';
import { spellSize, typeLabels, versionNotDetected } from './words';

export const QueueList = () => (
  <UploadQueueList
    queue={queue}
    items={useSignal(queue.list)}
    describeItem={({ kind, file, version }) => [
      typeLabels[kind],
      spellSize(file.size),
      ...(version ? [`version ${version}`] : []),
    ]}
    warningOf={({ version }) => (version === null ? versionNotDetected : undefined)}
    onReplace={({ key }) => queue.retry(key, { replaces: true })}
  />
);
