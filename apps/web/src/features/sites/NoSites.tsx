import { Button } from '@mantine/core';
import { FolderSearch, PanelsTopLeft, Plus, Upload } from 'lucide-react';
import { useGuest } from '../../kit/fleet/guests';
import { useIsClient } from '../../kit/fleet/users';
import { EmptyState } from '../../ui/EmptyState';
import type { SitesMenuActions } from './SitesMenus';

const noneOwn =
  'Ajoutez un site WordPress\u00a0: Vigie lit ses versions et ses mises à jour par SSH, sans rien y installer. Elle peut aussi trouver elle-même ceux d’un serveur, ou les prendre dans un tableau.';

type Props = Omit<SitesMenuActions, 'onExport'> & { onAdd: () => void };

/** The list of somebody without sites: a client without servers mostly waits for what others share with them. */
export function NoSites({ onAdd, onDiscover, onImportCsv }: Props) {
  const isClient = useIsClient();
  const isGuest = useGuest(isClient).isGuest ?? isClient;
  return (
    <EmptyState
      icon={PanelsTopLeft}
      title={isGuest ? 'Aucun site n’est partagé avec vous pour l’instant.' : 'Aucun site pour l’instant.'}
      actions={
        <>
          <Button variant={isGuest ? 'default' : 'filled'} leftSection={<Plus size={16} aria-hidden />} onClick={onAdd}>
            Nouveau site
          </Button>
          <Button variant="default" leftSection={<FolderSearch size={16} aria-hidden />} onClick={onDiscover}>
            Découvrir ceux d’un serveur
          </Button>
          <Button variant="default" leftSection={<Upload size={16} aria-hidden />} onClick={onImportCsv}>
            Importer un CSV
          </Button>
        </>
      }
    >
      <p>{isGuest ? 'Demandez à la personne qui vous a invité.' : noneOwn}</p>
    </EmptyState>
  );
}
