import { z } from 'zod';
import { contract } from './contract';
import { id, requiredLine } from './text';

/** A named set of users, with which sites and groups can be shared. */
export const Team = z.object({ id, name: z.string(), user_ids: z.array(id) });
export type Team = z.infer<typeof Team>;

const maxMembers = 200;
const fields = {
  name: requiredLine('Renseignez un nom.', 100),
  user_ids: z.array(id).max(maxMembers, `Une équipe a ${maxMembers} membres au plus.`),
};

/** Lists all teams for an administrator, and for others those that they are in. */
export const listTeams = contract('sites.teams.list', {
  http: 'GET /api/teams',
  access: 'user',
  scope: 'read',
  reads: ['teams'],
  input: z.object({}),
  output: z.object({ items: z.array(Team), total: z.int() }),
});

export const createTeam = contract('sites.teams.create', {
  http: 'POST /api/teams',
  access: 'admin',
  status: 201,
  changes: ['teams'],
  input: z.object({ ...fields, user_ids: fields.user_ids.default([]) }),
  output: Team,
});

/** An absent field stays unchanged. */
export const editTeam = contract('sites.teams.edit', {
  http: 'PUT /api/teams/:id',
  access: 'admin',
  changes: ['teams', 'grants', 'sites', 'groups'],
  input: z.object({ id, name: fields.name.optional(), user_ids: fields.user_ids.optional() }),
  output: Team,
});

/** What was shared with the team is no longer shared with its members. */
export const deleteTeam = contract('sites.teams.delete', {
  http: 'DELETE /api/teams/:id',
  access: 'admin',
  changes: ['teams', 'grants', 'sites', 'groups'],
  input: z.object({ id }),
  output: z.object({}),
});
