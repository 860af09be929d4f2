import { ArrowUpCircle, History, PackagePlus, Power, PowerOff } from 'lucide-react';
import type { SiteExtension } from '@vigie/contracts/sites';
import { IconButton } from '../../ui/IconButton';
import styles from './Extensions.module.css';
import { licenceMissing } from './words';

export type Deeds = {
  change: (one: SiteExtension, verb: 'update' | 'activate' | 'deactivate') => void;
  install: (one: SiteExtension) => void;
  restore: (one: SiteExtension) => void;
};

type Props = { one: SiteExtension; isBusy: boolean; deeds: Deeds };

const whyNoUpdate = ({ hasUpdate, blockedByLicense }: SiteExtension) =>
  blockedByLicense ? licenceMissing : hasUpdate ? undefined : 'Aucune mise à jour connue';

/** All actions on an item are disabled while one of its jobs is open. */
export function ItemActions({ one, isBusy, deeds }: Props) {
  if (one.kind !== 'regular') return null;
  const { name, status, type, hasUpdate, blockedByLicense, previous } = one;
  const isActive = status === 'active';
  return (
    <div className={styles['actions']}>
      <IconButton
        isAtEdge
        icon={ArrowUpCircle}
        label={`Mettre à jour ${name}`}
        title={whyNoUpdate(one)}
        data-strong
        disabled={isBusy || !hasUpdate || blockedByLicense}
        onClick={() => deeds.change(one, 'update')}
      />
      <IconButton
        isAtEdge
        icon={Power}
        label={`Activer ${name}`}
        title={isActive ? 'Déjà actif' : undefined}
        disabled={isBusy || isActive}
        onClick={() => deeds.change(one, 'activate')}
      />
      {type === 'plugin' && (
        <IconButton
          isAtEdge
          icon={PowerOff}
          label={`Désactiver ${name}`}
          title={isActive ? undefined : 'Déjà inactif'}
          disabled={isBusy || !isActive}
          onClick={() => deeds.change(one, 'deactivate')}
        />
      )}
      <IconButton
        isAtEdge
        icon={PackagePlus}
        label={`Installer ${name} depuis les uploads`}
        disabled={isBusy}
        onClick={() => deeds.install(one)}
      />
      {previous && (
        <IconButton
          isAtEdge
          icon={History}
          label={`Revenir à la version précédente de ${name} (${previous.version ?? 'inconnue'})`}
          disabled={isBusy}
          onClick={() => deeds.restore(one)}
        />
      )}
    </div>
  );
}
