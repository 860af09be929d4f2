import { Button } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { type FormEvent, useState } from 'react';
import dialog from '../../ui/DialogForm.module.css';
import { FormDialog } from '../../ui/FormDialog';
import { plural } from '../../ui/plural';
import { useCloseGuard } from '../../ui/useCloseGuard';
import { useReturnFocus } from '../../ui/useReturnFocus';
import { plansApi } from './changes.api';
import styles from './Plan.module.css';
import { PlanDialog } from './PlanDialog';
import { SiteChoice } from './SiteChoice';
import { ActivateField } from './UploadChoice';
import { useApply } from './useApply';
import { unapplied } from './words';

type Chosen = { sites: ReadonlySet<string>; activate: boolean };
type Props = { upload: Upload; onClose: () => void };

type PlannedProps = Props & { chosen: Chosen; onBack: () => void };

function Planned({ upload, chosen: { sites, activate }, onBack, onClose }: PlannedProps) {
  const asked = { upload: upload.id, sites: [...sites] };
  const plan = plansApi.usePlanInstallsQuery(asked, { refetchOnMountOrArgChange: true });
  const [install] = plansApi.useApplyInstallsMutation();
  const fallback = `Échec de l'installation depuis ${upload.filename}.`;
  const { apply, isSending, failure } = useApply(install, onClose, fallback);
  return (
    <PlanDialog
      title={`Installer ${upload.filename} sur ${plural(sites.size, 'site', 'sites')}`}
      plan={plan}
      shape="places"
      action={{ verb: 'Installer sur', one: 'site', many: 'sites' }}
      isSending={isSending}
      failure={failure}
      isChosen
      onApply={(lines) => apply({ upload: upload.id, sites: lines.map(({ site_id: site }) => site), activate })}
      onClose={onClose}
    >
      <p>
        {activate
          ? `${upload.name} est activé après son installation.`
          : `${upload.name} est installé sans être activé\u202f; là où il l’est déjà, il le reste.`}
      </p>
      <div>
        <Button variant="default" onClick={onBack}>
          Choisir d’autres sites
        </Button>
      </div>
    </PlanDialog>
  );
}

type ChooseProps = Props & { chosen: Chosen; onChoose: (chosen: Chosen) => void; onPlan: () => void };

function Choose({ upload, chosen, onChoose, onPlan, onClose }: ChooseProps) {
  const [isChecked, setChecked] = useState(false);
  const isNone = chosen.sites.size === 0;
  const { close, guard } = useCloseGuard({ isDirty: !isNone, ...unapplied, onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isNone) onPlan();
  };
  return (
    <FormDialog title={`Installer ${upload.filename} sur…`} isWide onClose={close}>
      <form noValidate onSubmit={submit}>
        <div className={dialog['content']}>
          <SiteChoice value={chosen.sites} onChange={(sites) => onChoose({ ...chosen, sites })} />
          <ActivateField value={chosen.activate} onChange={(activate) => onChoose({ ...chosen, activate })} />
        </div>
        <div className={dialog['foot']}>
          {isChecked && isNone && (
            <p role="alert" className={styles['error']}>
              Choisissez au moins un site.
            </p>
          )}
          <div className={dialog['actions']}>
            <Button variant="default" onClick={close}>
              Annuler
            </Button>
            <Button type="submit">Voir le plan</Button>
          </div>
        </div>
      </form>
      {guard}
    </FormDialog>
  );
}

/** Installs an uploaded archive on many sites: first the choice of sites, then the plan. */
export function InstallOnSites({ upload, onClose }: Props) {
  const [chosen, setChosen] = useState<Chosen>({ sites: new Set(), activate: false });
  const [isPlanned, setPlanned] = useState(false);
  // The opener of each dialog is the other one, which is unmounted by then.
  useReturnFocus();
  const both = { upload, chosen, onClose };
  return isPlanned ? (
    <Planned {...both} onBack={() => setPlanned(false)} />
  ) : (
    <Choose {...both} onChoose={setChosen} onPlan={() => setPlanned(true)} />
  );
}
