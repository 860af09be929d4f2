import { Button } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { useState } from 'react';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { plural } from '../../ui/plural';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { useReturnFocus } from '../../ui/focus';
import { plansApi } from './changes.api';
import { PlanDialog } from './PlanDialog';
import { SiteChoice } from './SiteChoice';
import { ActivateField } from './UploadChoice';
import { useBatch } from '../../kit/job/useBatch';
import { unappliedChanges } from './words';

type InstallChoice = { siteIds: ReadonlySet<string>; activate: boolean };
type Props = { upload: Upload; onClose: () => void };

type InstallPlanProps = Props & { chosen: InstallChoice; onBack: () => void };

function InstallPlan({ upload, chosen: { siteIds, activate }, onBack, onClose }: InstallPlanProps) {
  const query = { upload_id: upload.id, site_ids: [...siteIds] };
  const plan = plansApi.usePlanInstallsQuery(query, { refetchOnMountOrArgChange: true });
  const { start, call } = useBatch(plansApi.useApplyInstallsMutation(), onClose);
  return (
    <PlanDialog
      title={`Installer ${upload.filename} sur ${plural(siteIds.size, 'site', 'sites')}`}
      plan={plan}
      shape="places"
      action={{ verb: 'Installer sur', one: 'site', many: 'sites' }}
      call={call}
      isChosen
      onApply={(lines) =>
        start({
          upload_id: upload.id,
          filename: upload.filename,
          site_ids: lines.map(({ site_id: siteId }) => siteId),
          activate,
        })
      }
      onClose={onClose}
    >
      <p>
        {activate
          ? `${upload.name} est activé après son installation.`
          : `${upload.name} est installé sans être activé. S’il est déjà actif sur un site, il le reste.`}
      </p>
      <div>
        <Button variant="default" onClick={onBack}>
          Choisir d’autres sites
        </Button>
      </div>
    </PlanDialog>
  );
}

type ChooseProps = Props & { chosen: InstallChoice; onChoose: (chosen: InstallChoice) => void; onPlan: () => void };

function InstallForm({ upload, chosen, onChoose, onPlan, onClose }: ChooseProps) {
  const [isChecked, setChecked] = useState(false);
  const isNone = chosen.siteIds.size === 0;
  const { close, guard } = useCloseGuard({ isDirty: !isNone, ...unappliedChanges, onClose });
  const submit = () => {
    setChecked(true);
    if (!isNone) onPlan();
  };
  return (
    <FormDialog title={`Installer ${upload.filename} sur…`} isWide onClose={close}>
      <DialogForm
        action="Voir le plan"
        failure={isChecked && isNone ? 'Choisissez au moins un site.' : undefined}
        onSubmit={submit}
        onCancel={close}
      >
        <SiteChoice value={chosen.siteIds} onChange={(siteIds) => onChoose({ ...chosen, siteIds })} />
        <ActivateField value={chosen.activate} onChange={(activate) => onChoose({ ...chosen, activate })} />
      </DialogForm>
      {guard}
    </FormDialog>
  );
}

/** Installs an uploaded archive on many sites: first the choice of sites, then the plan. */
export function InstallOnSites({ upload, onClose }: Props) {
  const [chosen, setChosen] = useState<InstallChoice>({ siteIds: new Set(), activate: false });
  const [isPlanned, setPlanned] = useState(false);
  // The opener of each dialog is the other one, which is unmounted by then.
  useReturnFocus();
  const shared = { upload, chosen, onClose };
  return isPlanned ? (
    <InstallPlan {...shared} onBack={() => setPlanned(false)} />
  ) : (
    <InstallForm {...shared} onChoose={setChosen} onPlan={() => setPlanned(true)} />
  );
}
