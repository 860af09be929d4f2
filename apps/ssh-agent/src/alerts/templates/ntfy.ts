import type { AlertMessage } from '@vigie/contracts/alerts';
import { fit, headlineOf, linesOf, linkLabelOf, linkOf } from './message-text';
import type { Template } from './template';

/** ntfy turns a longer message into a file. */
const maxBytes = 4_096;
const maxTitle = 250;
/** An encoded word has 75 characters at most, of which its base64 has the rest. */
const maxWordBytes = 45;

const byteLength = (text: string) => Buffer.byteLength(text);

const priorities = { critical: '5', warning: '4', info: '3' } as const;
const tags = { critical: 'rotating_light', warning: 'warning', info: 'information_source' } as const;

const priorityOf = ({ kind, severity }: AlertMessage) => (kind === 'resolved' ? '3' : priorities[severity ?? 'info']);
const tagOf = ({ kind, severity }: AlertMessage) =>
  kind === 'resolved' ? 'white_check_mark' : tags[severity ?? 'info'];

export const ntfyRequest: Template = (message, { url, secret }) => {
  const link = `${linkLabelOf(message)}\u00a0: ${linkOf(message)}`;
  const lines = fit(linesOf(message).join('\n'), { max: maxBytes - byteLength(link) - 1, size: byteLength });
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    title: headerText(fit(headlineOf(message), { max: maxTitle })),
    priority: priorityOf(message),
    tags: tagOf(message),
    click: headerText(linkOf(message)),
    ...(secret !== null && { authorization: `Bearer ${secret}` }),
  };
  return { url, headers, body: lines === '' ? link : `${lines}\n${link}` };
};

/** A header has only ASCII: other text becomes encoded words of RFC 2047, as does what looks like one. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text;
  const words = [''];
  for (const character of text) {
    const word = `${words.at(-1)}${character}`;
    if (byteLength(word) <= maxWordBytes) words[words.length - 1] = word;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
