import { fit, headlineOf, linesOf, linkLabelOf, linkOf } from './message-text';
import { jsonRequest, type Template } from './template';

const max = 4_096;

/** Plain text without `parse_mode`, so that nothing in it can be read as a format. */
export const telegramRequest: Template = (message, { url, secret, chatId }) => {
  const link = `${linkLabelOf(message)}\u00a0: ${linkOf(message)}`;
  const lines = [headlineOf(message), ...linesOf(message)].join('\n');
  const text = `${fit(lines, { max: max - link.length - 2 })}\n\n${link}`;
  const body = { chat_id: chatId, text, link_preview_options: { is_disabled: true } };
  return jsonRequest(`${url.replace(/\/+$/, '')}/bot${secret}/sendMessage`, body);
};
