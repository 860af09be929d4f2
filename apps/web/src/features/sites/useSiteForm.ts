import { missingFields, missingConnection, type Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { isOwn } from '../../kit/fleet/roles';
import { emptyCredentials } from '../../kit/form/credentials';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sitesApi } from './sites.api';
import {
  blank,
  changesOf,
  checkSite,
  creationOf,
  isChanged,
  lacksNameOrUrl,
  lacksConnection,
  normalize,
  type Values,
  valuesOf,
} from './values';

/** The message for the whole form. The specification wants none for an edit without a name or URL. */
function missingOf(site: Site | undefined, values: Values): string | undefined {
  if (site && !isOwn(site)) return undefined;
  if (lacksNameOrUrl(values)) return site ? undefined : missingFields;
  return lacksConnection(values) ? missingConnection : undefined;
}

export type Saved = { site: Site; isNew: boolean };

/** Keeps the site as it was when the form opened, even if the list is read again. */
export function useSiteForm(stored: Site | undefined, onSaved: (saved: Saved) => void) {
  const [site] = useState(stored);
  const [createSite, creation] = sitesApi.useCreateSiteMutation();
  const [editSite, edition] = sitesApi.useEditSiteMutation();
  const form = useDraftForm<Values>({
    name: `site ${site?.id ?? 'new'}`,
    initial: site ? valuesOf(site) : blank,
    secrets: emptyCredentials,
    normalize,
    validate: (values) => {
      const missing = missingOf(site, values);
      return { ...checkSite(site, values), ...(missing !== undefined && { form: missing }) };
    },
    isChanged: (values) => isChanged(site, values),
  });
  const save = async (values: Values) => {
    if (site && !isChanged(site, values)) return onSaved({ site, isNew: false });
    const { data } = await (site ? editSite(changesOf(site, values)) : createSite(creationOf(values)));
    if (data) onSaved({ site: data, isNew: !site });
  };
  return { ...form, site, call: site ? edition : creation, save: form.submit(save) };
}

export type SiteForm = ReturnType<typeof useSiteForm>;
