import { missingFields, missingConnection, type Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { secrets } from '../../app/access';
import { isApiError } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { useCheckedForm } from '../../app/useCheckedForm';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { sitesApi } from './sites.api';
import {
  blank,
  changesOf,
  checkSite,
  creationOf,
  type Field,
  fields,
  isChanged,
  isNameless,
  isUnreachable,
  settle,
  type Values,
  valuesOf,
} from './values';

function useSave(site: Site | undefined) {
  const [createSite, creation] = sitesApi.useCreateSiteMutation();
  const [editSite, edition] = sitesApi.useEditSiteMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const save = async (values: Values) => {
    if (site) return editSite(changesOf(site, values));
    const body = creationOf(values);
    const made = await createSite({ site: body, idempotencyKey: keyFor(body) });
    if (made.data) renewKey();
    return made;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

function fallbackOf(site: Site | undefined, error: unknown): string {
  if (site) return 'Échec de la modification.';
  const isAnswered = isApiError(error) && error.kind === 'http';
  return isAnswered ? 'Échec de la création du site.' : "Erreur lors de l'ajout du site.";
}

/** What is said once for the whole form. An edit without a name or an address is marked, and nothing more. */
function missingOf(site: Site | undefined, values: Values): string | undefined {
  if (isNameless(values)) return site ? undefined : missingFields;
  return isUnreachable(values) ? missingConnection : undefined;
}

export type Saved = { site: Site; isNew: boolean };

/** Of one site, or of another one; what is stored may change behind it, what it began with does not. */
export function useSiteForm(stored: Site | undefined, focus: (field: Field) => void) {
  const [site] = useState(stored);
  const { save, isSaving } = useSave(site);
  const { finish, refuse, ...form } = useCheckedForm<Values, Field>({
    name: `site ${site?.id ?? 'new'}`,
    begin: site ? valuesOf(site) : blank,
    secrets,
    fields,
    settle,
    check: (values) => checkSite(site, values),
    missing: (values) => missingOf(site, values),
    isChanged: (values) => isChanged(site, values),
    focus,
  });
  const submit = async (): Promise<Saved | undefined> => {
    const settled = finish();
    if (!settled || isSaving) return undefined;
    if (site && !isChanged(site, settled)) return { site, isNew: false };
    const { data, error } = await save(settled);
    if (data) return { site: data, isNew: !site };
    refuse(tellFailure(error, fallbackOf(site, error)));
    return undefined;
  };
  return { ...form, site, isSaving, submit };
}

export type SiteForm = ReturnType<typeof useSiteForm>;
