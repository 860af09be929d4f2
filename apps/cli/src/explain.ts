import { cleanText, safeJson } from './escapes';
import { exitCodes, Failure } from './failures';
import type { Language } from './language';
import type { Output } from './output';

/** An error that no code here foresaw. After an order its outcome is as unknown as after a lost connection. */
function unforeseen(error: unknown, hasOrdered: boolean): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const advice = hasOrdered
    ? {
        fr: ' L’ordre est parti\u00a0: regardez «\u00a0vigie jobs\u00a0» avant de le redonner.',
        en: ' The order was sent: look at “vigie jobs” before you repeat it.',
      }
    : { fr: '', en: '' };
  return new Failure(hasOrdered ? 'unknown' : 'failed', {
    fr: `Erreur inattendue\u00a0: ${message}.${advice.fr}`,
    en: `Unexpected error: ${message}.${advice.en}`,
  });
}

type Place = { output: Output; language: Language; hasOrdered: boolean };

/** Says why a command did not do its work, and returns its exit code. */
export function explain(error: unknown, { output, language, hasOrdered }: Place): number {
  const failure = error instanceof Failure ? error : unforeseen(error, hasOrdered);
  const message = cleanText(failure.words[language]);
  const { status, detail } = failure.about;
  output.complain(
    output.settings.isJson
      ? safeJson({ error: { status: status ?? null, detail: detail ?? message } })
      : `vigie\u00a0: ${message}`,
  );
  return exitCodes[failure.ending];
}
