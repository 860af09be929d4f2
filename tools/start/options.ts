import { Refusal, fr } from '../terminal';

export const startHelp = fr`Démarre Vigie et tout ce qu’il lui faut, jusqu’à Ctrl-C.

  npm start [-- --demo | --help]

Options :
  --demo                        avec deux serveurs et une douzaine de sites WordPress pour essayer (npm run demo) ;
                                ils vivent dans VIGIE_HOME/demo et s’arrêtent avec elle

Variables :
  PORT, HOST                    où elle écoute (8080, 127.0.0.1) ; PORT=0 en choisit un libre
  VIGIE_HOME                    dossier d’état : données, clés, journaux (.vigie/)
  VIGIE_ADMIN_EMAIL, VIGIE_ADMIN_PASSWORD
                                premier administrateur (admin@localhost, mot de passe tiré au sort)
  VIGIE_PUBLIC_URL              l’adresse publique, derrière un proxy
  DATABASE_URL, REDIS_URL, NATS_URL
                                des serveurs à vous au lieu de serveurs privés
`;

export const devHelp = fr`Démarre Vigie pour qui la développe : chaque service repart dès que ses sources changent, et Vite sert l’interface.

  npm run dev [-- --help]

Les variables sont celles de npm start (npm start -- --help).
`;

export function readOptions(args: readonly string[], command: string, ownOptions: readonly string[] = []): Set<string> {
  const unknownOption = args.find((arg) => ![...ownOptions, '--help', '-h'].includes(arg));
  if (unknownOption !== undefined)
    throw new Refusal(fr`Option inconnue : ${unknownOption} (${command} -- --help les donne).`);
  return new Set(args.map((arg) => (arg === '-h' ? '--help' : arg)));
}
