import type { Upload } from '@vigie/contracts/uploads';
import { type ComponentProps, useState } from 'react';
import { InstallOnSites } from '../../features/changes/InstallOnSites';
import { UploadsPage } from '../../features/uploads/Page';

export function UploadsScreen({ search }: Pick<ComponentProps<typeof UploadsPage>, 'search'>) {
  const [installing, setInstalling] = useState<Upload>();
  return (
    <>
      <UploadsPage search={search} onInstall={setInstalling} />
      {installing && (
        <InstallOnSites key={installing.id} upload={installing} onClose={() => setInstalling(undefined)} />
      )}
    </>
  );
}
