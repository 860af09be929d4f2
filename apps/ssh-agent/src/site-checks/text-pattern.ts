/** HTML's names of the characters from U+00A0 on, in their order. */
const latinNames = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
  Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
  iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`;

const names = new Map<string, string>([
  ...latinNames.split(/\s+/).map((name, at): [string, string] => [String.fromCodePoint(0xa0 + at), name]),
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ['\u2018', 'lsquo'],
  ['’', 'rsquo'],
  ['“', 'ldquo'],
  ['”', 'rdquo'],
  ['…', 'hellip'],
  ['–', 'ndash'],
  ['—', 'mdash'],
  ['œ', 'oelig'],
  ['Œ', 'OElig'],
  ['€', 'euro'],
  ['™', 'trade'],
]);

/** WordPress writes the apostrophe of a text in several ways, which nobody tells apart; 146 is the one of Windows. */
const apostrophes = ["'", '’', '\u2018', 'ʼ'];
const otherApostrophes = ['apos', '#0*146'];
const spaces = [' ', '\u00a0', '\u202f'];

/** A pattern that finds a text in a page however that writes its white space, its apostrophes and its special characters. */
export function patternOf(text: string): RegExp {
  const letters = Array.from(text.normalize('NFC').trim().replaceAll(/\s+/g, ' '));
  return new RegExp(letters.map(formsOf).join(''));
}

function formsOf(letter: string): string {
  if (/[a-z\d]/i.test(letter)) return letter;
  if (letter === ' ') return `(?:\\s|${entities(spaces.flatMap(namesOf))})+`;
  if (apostrophes.includes(letter))
    return `(?:[${apostrophes.join('')}]|${entities([...apostrophes.flatMap(namesOf), ...otherApostrophes])})`;
  // With its accent apart, a letter is two.
  const apart = letter.normalize('NFD');
  const letters = apart === letter ? escape(letter) : `${escape(letter)}|${escape(apart)}`;
  return `(?:${letters}|${entities(namesOf(letter))})`;
}

/** All begin with `&`, so that most of a page is passed over without trying them. */
const entities = (bodies: readonly string[]) => `&(?:${bodies.join('|')});`;

function namesOf(letter: string): string[] {
  const code = letter.codePointAt(0) ?? 0;
  const hex = code.toString(16).replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const name = names.get(letter);
  return [`#0*${code}`, `#[xX]0*${hex}`, ...(name === undefined ? [] : [name])];
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
