import { join } from 'node:path';
import { z } from 'zod';
import { databaseUrl } from '../database';
import { forgetFirstPassword } from '../start/admin';
import { build } from '../start/build';
import { CommandError, runCommand } from '../start/command';
import { readSettings, root } from '../start/env';
import { Refusal, bold, fr, runTool, say } from '../terminal';

const help = fr`Rend l’accès à un administrateur quand plus personne ne peut le faire : nouveau mot de passe, montré une fois.

  npm run admin -- EMAIL [--without-2fa]

Un compte qui existe devient administrateur s’il ne l’était pas, et ses sessions sont fermées ; un compte qui n’existe pas
est créé. Ses clés d’accès sont supprimées. --without-2fa lève aussi sa double authentification, s’il a perdu son appareil
et ses codes. C’est écrit au journal d’audit. La base est celle de DATABASE_URL, sinon celle que npm start fait tourner.
`;

const Recovery = z.object({
  is_new: z.boolean(),
  is_promoted: z.boolean(),
  is_freed: z.boolean(),
  has_2fa: z.boolean(),
  /** How many were deleted. */
  passkeys: z.int(),
  /** The address as the account stores it, whatever case it was typed in. */
  email: z.string(),
  password: z.string(),
});

await runTool(() => run(process.argv.slice(2)));

async function run(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return console.log(help);
  const [email, option, ...rest] = args;
  const isValidOption = option === undefined || option === '--without-2fa';
  if (email === undefined || email.startsWith('-') || !isValidOption || rest.length > 0) throw new Refusal(help);
  const settings = readSettings();
  const url = databaseUrl(settings);
  await build(say, settings.env, new AbortController().signal);
  const env = {
    ...settings.env,
    DATABASE_URL: url,
    VIGIE_RECOVERED_EMAIL: email,
    VIGIE_RECOVERED_WITHOUT_2FA: option === undefined ? '0' : '1',
  };
  const program = join(root, 'dist/auth-svc/admin.js');
  const printed = await runCommand(process.execPath, ['--enable-source-maps', program], { cwd: root, env }).catch(
    (error: unknown) => {
      const output = error instanceof CommandError ? error.printed.trim() : String(error);
      throw new Refusal(fr`Rien n’a été changé :\n${output}`);
    },
  );
  const recovery = Recovery.parse(JSON.parse(printed.trim().split('\n').at(-1) ?? ''));
  printRecovery(recovery);
  forgetFirstPassword(settings.home, recovery.email);
}

function printRecovery({ email, ...recovery }: z.infer<typeof Recovery>): void {
  if (recovery.is_new) console.log(fr`Le compte ${email} n’existait pas : il est créé, administrateur.`);
  else if (recovery.is_promoted) console.log(fr`${email} est administrateur désormais ; ses sessions sont fermées.`);
  else console.log(fr`${email} a un nouveau mot de passe ; ses sessions sont fermées.`);
  if (recovery.passkeys > 0)
    console.log(fr`Clés d’accès supprimées : ${recovery.passkeys}. Ajoutez les vôtres de nouveau dans le profil.`);
  if (recovery.is_freed) console.log(fr`Sa double authentification est levée : activez-la de nouveau dans le profil.`);
  if (recovery.has_2fa)
    console.log(
      fr`Sa double authentification reste active. Si l’appareil et les codes sont perdus : npm run admin -- ${email} --without-2fa`,
    );
  console.log(fr`Mot de passe : ${bold(recovery.password)} (montré cette fois seulement ; changez-le dans le profil)`);
}
