import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Card } from '../../ui/Card';
import { Lines } from '../../ui/Lines';
import { ProgressBar } from '../../ui/JobProgress';
import { Callout } from '../../ui/Callout';
import { Status, type Tone } from '../../ui/Status';
import { isFinished, type QueuedUpload, type UploadQueue } from './upload-queue';

const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });

const states: Readonly<Record<QueuedUpload['phase'], { tone: Tone; label: string }>> = {
  waiting: { tone: 'neutral', label: 'En attente' },
  sending: { tone: 'info', label: 'Envoi en cours' },
  checking: { tone: 'info', label: 'Vérification' },
  done: { tone: 'ok', label: 'Téléversé' },
  failed: { tone: 'danger', label: 'Échec' },
  exists: { tone: 'warn', label: 'Déjà présent' },
};

type ListProps<Extra extends object> = {
  queue: UploadQueue<Extra>;
  describeItem: (item: QueuedUpload<Extra>) => readonly string[];
  warningOf?: (item: QueuedUpload<Extra>) => string | undefined;
  /** Replaces the file that the server already has. */
  onReplace?: (item: QueuedUpload<Extra>) => void;
};

function Actions<Extra extends object>({ item, queue, onReplace }: { item: QueuedUpload<Extra> } & ListProps<Extra>) {
  const { key, phase, file } = item;
  const label = (verb: string) => `${verb} ${file.name}`;
  return (
    <Group gap={8} wrap="nowrap">
      {phase === 'exists' && onReplace && (
        <Button variant="default" aria-label={label('Remplacer')} onClick={() => onReplace(item)}>
          Remplacer
        </Button>
      )}
      {queue.canRetry(item) && (
        <Button variant="default" aria-label={label('Réessayer')} onClick={() => queue.retry(key)}>
          Réessayer
        </Button>
      )}
      {/* A file that was sent whole cannot be called back. */}
      {phase !== 'checking' && (
        <Button
          variant="subtle"
          aria-label={label(isFinished(item) ? 'Retirer de la liste' : 'Annuler')}
          onClick={() => queue.dismiss(key)}
        >
          {isFinished(item) ? 'Retirer' : 'Annuler'}
        </Button>
      )}
    </Group>
  );
}

function Line<Extra extends object>({ item, ...list }: { item: QueuedUpload<Extra> } & ListProps<Extra>) {
  const { file, phase, progress, message } = item;
  const { tone, label } = states[phase];
  const warning = list.warningOf?.(item);
  return (
    <Stack component="li" gap={8} p="10px 16px">
      <Group gap="4px 12px">
        <Box flex="1 1 200px" miw={0}>
          <Text fw={600}>{file.name}</Text>
          <Text c="muted" fz={13}>
            {list.describeItem(item).join(' · ')}
          </Text>
        </Box>
        <Status tone={tone}>{phase === 'sending' ? `${label}, ${percent.format(progress)}` : label}</Status>
        <Actions item={item} {...list} />
      </Group>
      {(phase === 'sending' || phase === 'checking') && (
        <ProgressBar label={`Envoi de ${file.name}`} value={progress} max={1} />
      )}
      {warning !== undefined && (
        <Callout tone="warn">
          <p>{warning}</p>
        </Callout>
      )}
      {message !== undefined && (
        <Callout tone={phase === 'exists' ? 'warn' : 'danger'}>
          <p>{message}</p>
        </Callout>
      )}
    </Stack>
  );
}

/** The uploads of this window, until they are removed from the list. */
export function UploadQueueList<Extra extends object>({
  items,
  ...list
}: { items: readonly QueuedUpload<Extra>[] } & ListProps<Extra>) {
  if (items.length === 0) return null;
  const finished = items.filter(isFinished);
  return (
    <Stack component="section" aria-label="Envois" gap={8}>
      <Card>
        <Lines>
          {items.map((item) => (
            <Line key={item.key} item={item} {...list} />
          ))}
        </Lines>
      </Card>
      {finished.length > 1 && (
        <Button
          variant="default"
          w="fit-content"
          ml="auto"
          onClick={() => finished.forEach(({ key }) => list.queue.dismiss(key))}
        >
          Retirer les envois terminés
        </Button>
      )}
    </Stack>
  );
}
