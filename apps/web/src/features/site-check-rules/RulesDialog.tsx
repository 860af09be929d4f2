import { maxExpectedText, saveSiteCheckRules, type SiteCheckRules } from '@vigie/contracts/site-check-rules';
import type { Site } from '@vigie/contracts/sites';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { LineField } from '../../ui/LineField';
import { toast } from '../../ui/toasts';
import { siteCheckRulesApi } from './site-check-rules.api';

type Props = { site: Pick<Site, 'id' | 'name'>; rules: SiteCheckRules; onClose: () => void };

function useRulesForm({ site: { id }, rules, onClose }: Props) {
  const [save, call] = siteCheckRulesApi.useSaveSiteCheckRulesMutation();
  const form = useDraftForm({
    name: `site-check-rules ${id}`,
    initial: { expected_text: rules.expected_text ?? '', redirects_to: rules.redirects_to ?? '' },
    validate: (values) => schemaErrors(saveSiteCheckRules.input, values, { id, ...values }),
  });
  const submit = form.submit(async (values) => {
    const { data } = await save({ id, ...values });
    if (!data) return;
    const isEmpty = data.expected_text === null && data.redirects_to === null;
    toast.success(
      isEmpty
        ? 'Plus rien n’est attendu de la page.'
        : 'Attentes enregistrées. Vigie les vérifie à la prochaine visite.',
    );
    onClose();
  });
  return { form, call, submit };
}

/** What visitors must see, in words of the page and by the address where it leads. */
export function RulesDialog(props: Props) {
  const { form, call, submit } = useRulesForm(props);
  const lost = 'Ce que vous avez écrit sera perdu.';
  const { close, guard } = useCloseGuard({
    isDirty: form.isDirty,
    undone: 'enregistrer',
    lost,
    onClose: props.onClose,
  });
  return (
    <FormDialog title={`Ce que ${props.site.name} doit montrer`} onClose={close}>
      <DialogForm action="Enregistrer" call={call} onSubmit={submit} onCancel={close}>
        <LineField
          data-autofocus
          label="Texte attendu"
          placeholder="Facultatif"
          description="Tel qu’il est dans la page, majuscules comprises. Vigie le cherche dans les 512 premiers Ko."
          maxLength={maxExpectedText}
          {...form.field('expected_text')}
        />
        <LineField
          type="url"
          inputMode="url"
          label="Adresse d’arrivée"
          placeholder="Facultative, par exemple https://exemple.fr/accueil"
          description="Là où la visite doit finir, après les redirections."
          maxLength={2_048}
          {...form.field('redirects_to')}
        />
      </DialogForm>
      {guard}
    </FormDialog>
  );
}
