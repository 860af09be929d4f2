import {
  acknowledgeIncident,
  type Incident,
  type IncidentEvent,
  type IncidentItem,
  IncidentState,
  listIncidents,
  readIncident,
  type Verdict,
} from '@vigie/contracts/incidents';
import type { Cli } from './cli';
import { exitCodes } from './failures';
import { same, type Words } from './language';
import { formatTime } from './times';

const verdicts: Readonly<Record<Verdict, Words>> = {
  answers_there: { fr: 'répond chez lui, pas d’ici', en: 'answers its own server, not here' },
  fails_there: { fr: 'ne répond pas non plus chez lui', en: 'does not answer its own server either' },
  fails_everywhere: { fr: 'ne répond pour personne', en: 'answers nobody' },
  unknown: { fr: 'son serveur n’a pas pu être interrogé', en: 'its server could not be asked' },
};

const events: Readonly<Record<IncidentEvent['kind'], Words>> = {
  observed: { fr: 'premier échec', en: 'first failure' },
  opened: { fr: 'incident ouvert', en: 'incident opened' },
  joined: { fr: 'touché à son tour', en: 'touched too' },
  opinion: { fr: 'second avis', en: 'second opinion' },
  recovered: { fr: 'répond de nouveau', en: 'answers again' },
  reopened: { fr: 'incident rouvert', en: 'incident reopened' },
  acknowledged: { fr: 'pris en charge', en: 'acknowledged' },
  muted: { fr: 'mis en sourdine', en: 'muted' },
  unmuted: { fr: 'sorti de la sourdine', en: 'unmuted' },
  commented: { fr: 'commentaire', en: 'comment' },
  merged: { fr: 'rejoint l’incident du serveur', en: 'became a part of the incident of the server' },
  removed: { fr: 'n’est plus concerné', en: 'no longer concerned' },
  closed: { fr: 'clos à la main', en: 'closed by hand' },
  resolved: { fr: 'terminé', en: 'ended' },
  task: { fr: 'tâche de Vigie', en: 'job of Vigie' },
  alerted: { fr: 'alerte envoyée', en: 'alert sent' },
  alert_failed: { fr: 'alerte non envoyée', en: 'alert not sent' },
};

const titles: Readonly<Record<IncidentItem['kind'], (incident: IncidentItem) => Words>> = {
  outage: titleOfOutage,
  content: ({ cause: { name } }) => ({
    fr: `${name} n’affiche plus la page attendue`,
    en: `${name} does not show the expected page`,
  }),
  certificate: ({ cause: { name } }) => ({ fr: `Certificat de ${name}`, en: `Certificate of ${name}` }),
  domain: ({ cause: { name } }) => ({ fr: `Domaine ${name}`, en: `Domain ${name}` }),
  dns: titleOfDns,
  network: () => ({ fr: 'Vigie est coupée du réseau', en: 'Vigie is cut off the network' }),
  unwatched: () => ({ fr: 'Vigie n’a pas veillé', en: 'Vigie did not watch' }),
};

const titleOf = (incident: IncidentItem): Words => titles[incident.kind](incident);

function titleOfOutage({ cause: { kind, name }, is_server_down: isServerDown, sites, failing }: IncidentItem): Words {
  if (kind === 'site' || isServerDown) return { fr: `${name} ne répond plus`, en: `${name} does not answer` };
  const count = failing > 0 ? failing : sites;
  return { fr: `Sites de ${name} sans réponse\u00a0: ${count}`, en: `Sites of ${name} without an answer: ${count}` };
}

function titleOfDns({ cause: { kind, name }, sites, failing }: IncidentItem): Words {
  if (kind === 'site') return { fr: `${name} pointe vers une autre adresse`, en: `${name} is at another address` };
  const count = failing > 0 ? failing : sites;
  return {
    fr: `Sites de ${name} à une autre adresse\u00a0: ${count}`,
    en: `Sites of ${name} at another address: ${count}`,
  };
}

/** The end of a certificate or domain, or what a visit got. */
function whyOf({ evidence }: Pick<IncidentItem, 'evidence'>): string | null {
  if (evidence?.ends_at) return [formatTime(evidence.ends_at), evidence.reason].filter(Boolean).join(' ');
  return evidence?.reason ?? (evidence?.code ? `HTTP ${evidence.code}` : null);
}

const stateOf = ({ state, acknowledged_by: by }: IncidentItem): Words => {
  if (state === 'resolved') return { fr: 'terminé', en: 'ended' };
  return by === null ? { fr: 'ouvert', en: 'open' } : { fr: `pris par ${by}`, en: `taken by ${by}` };
};

export async function list(cli: Cli): Promise<number> {
  const state = cli.oneOf('state', [...IncidentState.options, 'all'] as const) ?? 'open';
  const filters = { ...(state !== 'all' && { state }), limit: cli.number('limit') ?? 20 };
  const { data, raw } = await cli.api.answer(listIncidents, filters);
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.table(
      [
        'ID',
        cli.say({ fr: 'DEPUIS', en: 'SINCE' }),
        cli.say({ fr: 'QUOI', en: 'WHAT' }),
        cli.say({ fr: 'POURQUOI', en: 'WHY' }),
        cli.say({ fr: 'ÉTAT', en: 'STATE' }),
      ],
      data.items.map((incident) => [
        incident.id,
        formatTime(incident.observed_at),
        cli.say(titleOf(incident)),
        whyOf(incident),
        cli.say(stateOf(incident)),
      ]),
    );
  return exitCodes.done;
}

function detailOf(cli: Cli, { opinion, text, evidence, job }: IncidentEvent): string | null {
  if (opinion) return cli.say(verdicts[opinion.verdict]);
  return text ?? (job ? `${job.kind} ${job.state}` : whyOf({ evidence }));
}

function write(cli: Cli, incident: Incident): void {
  cli.note(titleOf(incident));
  if (incident.verdict) cli.note(verdicts[incident.verdict]);
  cli.note(stateOf(incident));
  if (incident.is_flapping) cli.note({ fr: 'Il va et vient.', en: 'It comes and goes.' });
  cli.output.table(
    [
      cli.say({ fr: 'QUAND', en: 'WHEN' }),
      cli.say({ fr: 'QUOI', en: 'WHAT' }),
      'SITE',
      cli.say({ fr: 'DÉTAIL', en: 'DETAIL' }),
    ],
    incident.events.map((event) => [
      formatTime(event.at),
      cli.say(event.by === null ? events[event.kind] : same(`${cli.say(events[event.kind])} (${event.by})`)),
      event.subject ?? (event.count === null ? null : `×${event.count}`),
      detailOf(cli, event),
    ]),
  );
}

export async function show(cli: Cli): Promise<number> {
  const { data, raw } = await cli.api.answer(readIncident, { id: cli.given.parameters[0] ?? '' });
  if (cli.isJson) cli.output.json(raw);
  else write(cli, data);
  return exitCodes.done;
}

export async function acknowledge(cli: Cli): Promise<number> {
  const { data, raw } = await cli.api.answer(acknowledgeIncident, { id: cli.given.parameters[0] ?? '' });
  if (cli.isJson) cli.output.json(raw);
  else cli.note(stateOf(data));
  return exitCodes.done;
}
