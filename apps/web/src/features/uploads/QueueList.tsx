import { Button } from '@mantine/core';
import { useSignal } from '../../ui/signal';
import { Callout } from '../../ui/Callout';
import { Status, type Tone } from '../../ui/Status';
import { dismiss, dismissOver, isOver, queue, retry, type Sending } from './queue';
import styles from './QueueList.module.css';
import { spellSize, typeLabels, versionless } from './words';

const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });

const states: Readonly<Record<Sending['phase'], { tone: Tone; label: string }>> = {
  waiting: { tone: 'neutral', label: 'En attente' },
  sending: { tone: 'info', label: 'Envoi en cours' },
  checking: { tone: 'info', label: 'Vérification' },
  done: { tone: 'ok', label: 'Téléversé' },
  failed: { tone: 'danger', label: 'Échec' },
  exists: { tone: 'warn', label: 'Déjà présent' },
};

function Actions({ item }: { item: Sending }) {
  const { key, phase, file } = item;
  const label = (verb: string) => `${verb} ${file.name}`;
  return (
    <div className={styles['actions']}>
      {phase === 'exists' && (
        <Button variant="default" aria-label={label('Remplacer')} onClick={() => retry(key, true)}>
          Remplacer
        </Button>
      )}
      {phase === 'failed' && /\.zip$/i.test(file.name) && (
        <Button variant="default" aria-label={label('Réessayer')} onClick={() => retry(key, item.replaces)}>
          Réessayer
        </Button>
      )}
      {/* What has left whole cannot be called back. */}
      {phase !== 'checking' && (
        <Button
          variant="subtle"
          aria-label={label(isOver(item) ? 'Retirer de la liste' : 'Annuler')}
          onClick={() => dismiss(key)}
        >
          {isOver(item) ? 'Retirer' : 'Annuler'}
        </Button>
      )}
    </div>
  );
}

function Line({ item }: { item: Sending }) {
  const { file, type, phase, share, version, sentence } = item;
  const { tone, label } = states[phase];
  const facts = [typeLabels[type], spellSize(file.size), ...(version ? [`version ${version}`] : [])];
  return (
    <li className={styles['line']}>
      <div className={styles['head']}>
        <div className={styles['file']}>
          <p className={styles['name']}>{file.name}</p>
          <p className={styles['facts']}>{facts.join(' · ')}</p>
        </div>
        <Status tone={tone}>{phase === 'sending' ? `${label}, ${percent.format(share)}` : label}</Status>
        <Actions item={item} />
      </div>
      {(phase === 'sending' || phase === 'checking') && (
        <progress className={styles['bar']} value={share} max={1} aria-label={`Envoi de ${file.name}`} />
      )}
      {version === null && (
        <Callout tone="warn">
          <p>{versionless}</p>
        </Callout>
      )}
      {sentence !== undefined && (
        <Callout tone={phase === 'exists' ? 'warn' : 'danger'}>
          <p>{sentence}</p>
        </Callout>
      )}
    </li>
  );
}

/** What was chosen in this window and is not yet out of mind. */
export function QueueList() {
  const items = useSignal(queue);
  if (items.length === 0) return null;
  return (
    <section aria-label="Envois" className={styles['queue']}>
      <ul className={styles['lines']}>
        {items.map((item) => (
          <Line key={item.key} item={item} />
        ))}
      </ul>
      {items.filter(isOver).length > 1 && (
        <Button variant="default" className={styles['clear'] ?? ''} onClick={dismissOver}>
          Retirer les envois terminés
        </Button>
      )}
    </section>
  );
}
