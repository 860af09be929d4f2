import { fr } from '../terminal';

/** The parts of the bench, in the order in which they run, and what the help says about them. */
export const parts = {
  start: fr`démarrage à froid, à chaud, et arrêt`,
  me: fr`GET /api/auth/me : débit, temps de réponse, mémoire`,
  login: fr`POST /api/auth/login : débit, lectures pendant ce temps, temps d’un refus avec et sans compte`,
  ssh: fr`commandes, connexions, 200 hôtes d’un coup et transferts, par libs/ssh et par OpenSSH`,
  health: fr`la santé de 200 serveurs, par Vigie et par Ansible`,
  jobs: fr`tâches vides par seconde, avec un et deux agents, et la part de chaque étape`,
  console: fr`écho d’une touche dans 100 consoles à la fois, contre ssh ; mémoire de chacune`,
  sites: fr`interroger 50 sites WordPress et en lire 100, par Vigie, par Ansible et par xargs et ssh`,
  updates: fr`une extension mise à jour sur 50 sites, par Vigie et par WordPress seul`,
  trace: fr`une mise à jour suivie de l’appui à sa fin : les temps dont rien ne rend compte`,
  backups: fr`un site d’un gigaoctet sauvegardé, copié et lu, contre tar, mariadb-dump et scp`,
  restore: fr`le même restauré, contre tar et mariadb`,
  dns: fr`les écrans de 500 zones et d’une zone de 3000 enregistrements : temps, et appels à Cloudflare`,
  fleet: fr`listes, tuiles et écrans d’un parc de 1 000, 5 000 et 10 000 sites`,
  grants: fr`les listes de 10 000 sites, par leur propriétaire et par mille partages`,
  load: fr`lectures, consoles et opérations à la fois, de plus en plus, avec un puis deux de chaque processus`,
  web: fr`le tableau de bord de mille sites, ouvert sans cache, contre celui d’un WordPress`,
};
export type PartName = keyof typeof parts;
export const partNames = Object.keys(parts) as PartName[];
