import { Button } from '@mantine/core';
import { Bar } from '../ui/Bar';
import { Callout } from '../ui/Callout';
import { Status, type Tone } from '../ui/Status';
import { isOver, type Sending, type Sendings } from './sendings';
import styles from './SendingsList.module.css';

const percent = new Intl.NumberFormat('fr-FR', { style: 'percent' });

const states: Readonly<Record<Sending['phase'], { tone: Tone; label: string }>> = {
  waiting: { tone: 'neutral', label: 'En attente' },
  sending: { tone: 'info', label: 'Envoi en cours' },
  checking: { tone: 'info', label: 'Vérification' },
  done: { tone: 'ok', label: 'Téléversé' },
  failed: { tone: 'danger', label: 'Échec' },
  exists: { tone: 'warn', label: 'Déjà présent' },
};

type Of<More extends object> = {
  sendings: Sendings<More>;
  factsOf: (item: Sending<More>) => readonly string[];
  warningOf?: (item: Sending<More>) => string | undefined;
  /** Replaces the file that the server already has. */
  onReplace?: (item: Sending<More>) => void;
};

function Actions<More extends object>({ item, sendings, onReplace }: { item: Sending<More> } & Of<More>) {
  const { key, phase, file } = item;
  const label = (verb: string) => `${verb} ${file.name}`;
  return (
    <div className={styles['actions']}>
      {phase === 'exists' && onReplace && (
        <Button variant="default" aria-label={label('Remplacer')} onClick={() => onReplace(item)}>
          Remplacer
        </Button>
      )}
      {sendings.canRetry(item) && (
        <Button variant="default" aria-label={label('Réessayer')} onClick={() => sendings.retry(key)}>
          Réessayer
        </Button>
      )}
      {/* A file that was sent whole cannot be called back. */}
      {phase !== 'checking' && (
        <Button
          variant="subtle"
          aria-label={label(isOver(item) ? 'Retirer de la liste' : 'Annuler')}
          onClick={() => sendings.dismiss(key)}
        >
          {isOver(item) ? 'Retirer' : 'Annuler'}
        </Button>
      )}
    </div>
  );
}

function Line<More extends object>({ item, ...of }: { item: Sending<More> } & Of<More>) {
  const { file, phase, share, sentence } = item;
  const { tone, label } = states[phase];
  const warning = of.warningOf?.(item);
  return (
    <li className={styles['line']}>
      <div className={styles['head']}>
        <div className={styles['file']}>
          <p className={styles['name']}>{file.name}</p>
          <p className={styles['facts']}>{of.factsOf(item).join(' · ')}</p>
        </div>
        <Status tone={tone}>{phase === 'sending' ? `${label}, ${percent.format(share)}` : label}</Status>
        <Actions item={item} {...of} />
      </div>
      {(phase === 'sending' || phase === 'checking') && <Bar label={`Envoi de ${file.name}`} value={share} max={1} />}
      {warning !== undefined && (
        <Callout tone="warn">
          <p>{warning}</p>
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

/** The uploads of this window, until they are removed from the list. */
export function SendingsList<More extends object>({ items, ...of }: { items: readonly Sending<More>[] } & Of<More>) {
  if (items.length === 0) return null;
  const past = items.filter(isOver);
  return (
    <section aria-label="Envois" className={styles['queue']}>
      <ul className={styles['lines']}>
        {items.map((item) => (
          <Line key={item.key} item={item} {...of} />
        ))}
      </ul>
      {past.length > 1 && (
        <Button
          variant="default"
          className={styles['clear'] ?? ''}
          onClick={() => past.forEach(({ key }) => of.sendings.dismiss(key))}
        >
          Retirer les envois terminés
        </Button>
      )}
    </section>
  );
}
