/** HTML's names of the characters from U+00A0 on, in their order. */
const latinNames = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
  Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
  iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`;

const named = new Map<string, string>([
  ...latinNames.split(/\s+/).map((name, at): [string, string] => [name, String.fromCodePoint(0xa0 + at)]),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    lsquo: '’',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    lsaquo: '‹',
    rsaquo: '›',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    bull: '•',
    larr: '←',
    rarr: '→',
    oelig: 'œ',
    OElig: 'Œ',
    euro: '€',
    trade: '™',
  }),
]);

/** What Windows has from U+0080 to U+009F, where Unicode has no letters. Browsers read pages and entities so. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const ofWindows = (letter: string) => windows[letter.charCodeAt(0) - 0x80] ?? letter;

function decodeEntity(entity: string, body: string): string {
  if (!body.startsWith('#')) return named.get(body) ?? entity;
  const code = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1));
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
}

/** A text without entities, with simple spaces, and with one apostrophe for those that nobody tells apart. */
const toPlain = (text: string): string =>
  text
    .replaceAll(/&(#x[\da-f]{1,6}|#\d{1,8}|[a-z]\w{1,7});/gi, decodeEntity)
    .replaceAll(/[\u0080-\u009f]/g, ofWindows)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/['\u2018ʼ]/g, '’');

/**
 * Whether a page contains a text, however it writes its white space, its apostrophes and its special characters; tags stay what
 * they are. The page itself is not normalized: that may take half a minute where a page was made for it.
 */
export function hasText(page: string, text: string): boolean {
  if (page.includes(text)) return true;
  const [plainPage, plainText] = [toPlain(page), toPlain(text)];
  return plainPage.includes(plainText.normalize('NFC')) || plainPage.includes(plainText.normalize('NFD'));
}
