import { missingFields, missingConnection, type Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { emptyCredentials } from '../../kit/form/credentials';
import { isApiError } from '../../kit/query/api-error';
import { reportFailure } from '../../kit/query/failures';
import { useCheckedForm } from '../../kit/form/useCheckedForm';
import { sitesApi } from './sites.api';
import {
  blank,
  changesOf,
  checkSite,
  creationOf,
  type Field,
  fields,
  isChanged,
  lacksNameOrUrl,
  lacksConnection,
  normalize,
  type Values,
  valuesOf,
} from './values';

function useSave(site: Site | undefined) {
  const [createSite, creation] = sitesApi.useCreateSiteMutation();
  const [editSite, edition] = sitesApi.useEditSiteMutation();
  const save = async (values: Values) => {
    if (site) return editSite(changesOf(site, values));
    const body = creationOf(values);
    const created = await createSite(body);
    return created;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

function failureSentence(site: Site | undefined, error: unknown): string {
  if (site) return 'Échec de la modification.';
  const hasAnswer = isApiError(error) && error.kind === 'http';
  return hasAnswer ? 'Échec de la création du site.' : "Erreur lors de l'ajout du site.";
}

/** The message for the whole form. The specification wants none for an edit without a name or URL. */
function missingOf(site: Site | undefined, values: Values): string | undefined {
  if (lacksNameOrUrl(values)) return site ? undefined : missingFields;
  return lacksConnection(values) ? missingConnection : undefined;
}

export type Saved = { site: Site; isNew: boolean };

/** Keeps the site as it was when the form opened, even if the list is read again. */
export function useSiteForm(stored: Site | undefined, focus: (field: Field) => void) {
  const [site] = useState(stored);
  const { save, isSaving } = useSave(site);
  const {
    finish,
    setRefusal: refuse,
    ...form
  } = useCheckedForm<Values, Field>({
    name: `site ${site?.id ?? 'new'}`,
    initial: site ? valuesOf(site) : blank,
    secrets: emptyCredentials,
    fields,
    normalize,
    validate: (values) => checkSite(site, values),
    validateForm: (values) => missingOf(site, values),
    isChanged: (values) => isChanged(site, values),
    focus,
  });
  const submit = async (): Promise<Saved | undefined> => {
    const normalized = finish();
    if (!normalized || isSaving) return undefined;
    if (site && !isChanged(site, normalized)) return { site, isNew: false };
    const { data, error } = await save(normalized);
    if (data) return { site: data, isNew: !site };
    refuse(reportFailure(error, failureSentence(site, error)));
    return undefined;
  };
  return { ...form, site, isSaving, submit };
}

export type SiteForm = ReturnType<typeof useSiteForm>;
