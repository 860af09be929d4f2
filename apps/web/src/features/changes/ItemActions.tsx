import { ArrowUpCircle, History, PackagePlus, Power, PowerOff } from 'lucide-react';
import type { SiteExtension } from '@vigie/contracts/sites';
import { IconButton } from '../../ui/IconButton';
import styles from './changes.module.css';
import { licenceMissing } from './words';

export type ItemHandlers = {
  change: (item: SiteExtension, verb: 'update' | 'activate' | 'deactivate') => void;
  install: (item: SiteExtension) => void;
  restore: (item: SiteExtension) => void;
};

type Props = { item: SiteExtension; isBusy: boolean; handlers: ItemHandlers };

const noUpdateReason = ({ hasUpdate, blockedByLicense }: SiteExtension) =>
  blockedByLicense ? licenceMissing : hasUpdate ? undefined : 'Aucune mise à jour connue';

/** All actions on an item are disabled while one of its jobs is open. */
export function ItemActions({ item, isBusy, handlers }: Props) {
  if (item.kind !== 'regular') return null;
  const { name, status, type: kind, hasUpdate, blockedByLicense, previous } = item;
  const isActive = status === 'active';
  return (
    <div className={styles['actions']}>
      <IconButton
        isAtEdge
        icon={ArrowUpCircle}
        label={`Mettre à jour ${name}`}
        title={noUpdateReason(item)}
        data-strong
        disabled={isBusy || !hasUpdate || blockedByLicense}
        onClick={() => handlers.change(item, 'update')}
      />
      <IconButton
        isAtEdge
        icon={Power}
        label={`Activer ${name}`}
        title={isActive ? 'Déjà actif' : undefined}
        disabled={isBusy || isActive}
        onClick={() => handlers.change(item, 'activate')}
      />
      {kind === 'plugin' && (
        <IconButton
          isAtEdge
          icon={PowerOff}
          label={`Désactiver ${name}`}
          title={isActive ? undefined : 'Déjà inactif'}
          disabled={isBusy || !isActive}
          onClick={() => handlers.change(item, 'deactivate')}
        />
      )}
      <IconButton
        isAtEdge
        icon={PackagePlus}
        label={`Installer ${name} depuis les uploads`}
        disabled={isBusy}
        onClick={() => handlers.install(item)}
      />
      {previous && (
        <IconButton
          isAtEdge
          icon={History}
          label={`Revenir à la version précédente de ${name} (${previous.version ?? 'inconnue'})`}
          disabled={isBusy}
          onClick={() => handlers.restore(item)}
        />
      )}
    </div>
  );
}
