import { isInGroupTree } from './memberships';

/** SQL condition: the site is in one of the groups of the channel with this id, or below. */
export const isOfChannel = (site: string, channelId: string): string =>
  isInGroupTree('sites', site, `select k.group_id from channel_groups k where k.channel_id = ${channelId}`);

/** SQL for the ids of the sites of the channel's groups that an incident has touched. */
export const sitesOfChannel = (channelId: string, incidentId: string): string =>
  `select s.id from incident_subjects m join sites s on s.id = m.subject_id
   where m.incident_id = ${incidentId} and ${isOfChannel('s', channelId)}`;
