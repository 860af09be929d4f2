import type { Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { isApiError } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { sitesApi } from './sites.api';
import {
  blank,
  changesOf,
  checkSite,
  creationOf,
  type Errors,
  type Field,
  fields,
  isChanged,
  isNameless,
  isUnreachable,
  missingFields,
  missingWay,
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
  return isUnreachable(values) ? missingWay : undefined;
}

export type Saved = { site: Site; isNew: boolean };

/** Of one site, or of another one; what is stored may change behind it, what it began with does not. */
export function useSiteForm(stored: Site | undefined, focus: (field: Field) => void) {
  const [site] = useState(stored);
  const { save, isSaving } = useSave(site);
  const [values, setValues] = useState(() => (site ? valuesOf(site) : blank));
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  const isDirty = isChanged(site, values);
  const change = (changes: Partial<Values>) => {
    const next = { ...values, ...changes };
    const found = checkSite(site, next);
    setValues(next);
    setFailure((shown) => (shown === missingFields || shown === missingWay ? missingOf(site, next) : shown));
    // What is not wrong yet is not called wrong while it is being typed.
    setErrors((shown) => Object.fromEntries(Object.keys(shown).flatMap((field) => pick(found, field))));
  };
  const leave = (field: Field) => {
    const settled = settle(values);
    setValues(settled);
    if (isDirty) setErrors((shown) => ({ ...shown, [field]: checkSite(site, settled)[field] }));
  };
  const submit = async (): Promise<Saved | undefined> => {
    const settled = settle(values);
    const found = checkSite(site, settled);
    const first = fields.find((field) => found[field] !== undefined);
    setValues(settled);
    setErrors(found);
    setFailure(missingOf(site, settled));
    if (first) focus(first);
    if (first || isSaving) return undefined;
    if (site && !isChanged(site, settled)) return { site, isNew: false };
    const { data, error } = await save(settled);
    if (data) return { site: data, isNew: !site };
    setFailure(tellFailure(error, fallbackOf(site, error)));
    return undefined;
  };
  return { site, values, errors, failure, isDirty, isSaving, change, leave, submit };
}

const pick = (errors: Errors, name: string) =>
  fields.flatMap((field) => (field === name && errors[field] !== undefined ? [[field, errors[field]]] : []));

export type SiteForm = ReturnType<typeof useSiteForm>;
