import { ArrowUpCircle, History, PackagePlus, Power, PowerOff } from 'lucide-react';
import type { SiteExtension } from '@vigie/contracts/sites';
import { IconButton } from '../../ui/IconButton';
import styles from './changes.module.css';
import type { ItemRow } from './core-row';
import { licenceMissing } from './words';

export type ItemHandlers = {
  change: (item: ItemRow, verb: 'update' | 'activate' | 'deactivate') => void;
  install: (item: SiteExtension) => void;
  restore: (item: SiteExtension) => void;
};

type Props = { item: ItemRow; isBusy: boolean; handlers: ItemHandlers };

const noUpdateReason = ({ hasUpdate, blockedByLicense }: ItemRow) =>
  blockedByLicense ? licenceMissing : hasUpdate ? undefined : 'Aucune mise à jour connue';

/** All actions on an item are disabled while one of its jobs is open. */
export function ItemActions({ item, isBusy, handlers }: Props) {
  if (item.kind !== 'regular') return null;
  const { name, hasUpdate, blockedByLicense } = item;
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
      {item.type !== 'core' && <ExtensionButtons item={item} isBusy={isBusy} handlers={handlers} />}
    </div>
  );
}

type ExtensionProps = Omit<Props, 'item'> & { item: SiteExtension };

function ExtensionButtons({ item, isBusy, handlers }: ExtensionProps) {
  const { name, previous } = item;
  return (
    <>
      <ActivityButtons item={item} isBusy={isBusy} onChange={handlers.change} />
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
    </>
  );
}

type ActivityButtonsProps = Pick<ExtensionProps, 'item' | 'isBusy'> & { onChange: ItemHandlers['change'] };

/** A theme is replaced by another one, and never deactivated. */
function ActivityButtons({ item, isBusy, onChange }: ActivityButtonsProps) {
  const { name, status, type: kind } = item;
  const isActive = status === 'active';
  return (
    <>
      <IconButton
        isAtEdge
        icon={Power}
        label={`Activer ${name}`}
        title={isActive ? 'Déjà actif' : undefined}
        disabled={isBusy || isActive}
        onClick={() => onChange(item, 'activate')}
      />
      {kind === 'plugin' && (
        <IconButton
          isAtEdge
          icon={PowerOff}
          label={`Désactiver ${name}`}
          title={isActive ? undefined : 'Déjà inactif'}
          disabled={isBusy || !isActive}
          onClick={() => onChange(item, 'deactivate')}
        />
      )}
    </>
  );
}
