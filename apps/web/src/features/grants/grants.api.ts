import { createGrant, deleteGrant, type Grant, listGrants } from '@vigie/contracts/grants';
import { findPerson } from '@vigie/contracts/users';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

const maxGrants = 500;

export const grantsApi = api.injectEndpoints({
  endpoints: (build) => ({
    grants: build.query(queryOf(listGrants)),
    createGrant: build.mutation(creationOf(createGrant, 'Le partage n’a pas pu être enregistré.')),
    /** One of many: their dialog says itself which were refused. */
    createGrantOfMany: build.mutation(creationOf(createGrant, () => undefined)),
    deleteGrant: build.mutation(mutationOf(deleteGrant, 'Le partage n’a pas pu être retiré.')),
    findPerson: build.mutation(mutationOf(findPerson, 'Cette adresse n’a pas pu être cherchée.')),
  }),
});

/** What is shared. */
export type Target = { kind: 'site' | 'group'; id: string; name: string };

export const targetFields = ({ kind, id }: Pick<Target, 'kind' | 'id'>) =>
  kind === 'site' ? { site_id: id } : { group_id: id };

export const useGrants = (target: Target) =>
  grantsApi.useGrantsQuery({ ...targetFields(target), limit: maxGrants }, { refetchOnMountOrArgChange: true });

/** "le site vitrine". */
export const nameTarget = ({ kind, name }: Omit<Target, 'id'>): string =>
  `${kind === 'site' ? 'le site' : 'le groupe'} ${name}`;

/** Whether a site has the grant only through one of its groups. */
export const isInherited = (grant: Grant, target: Target): boolean => target.kind === 'site' && grant.group_id !== null;
