// Preloaded into a service, this kills the process when its sockets reach the moment in VIGIE_TRIAL_MOMENT.
import { Socket } from 'node:net';

const { sends, sent, answers } = JSON.parse(process.env['VIGIE_TRIAL_MOMENT'] ?? '{}');
const patternOf = (text) => (text === undefined ? /$^/ : new RegExp(text));
const [before, after, asked] = [sends, sent, answers].map(patternOf);
// oxlint-disable-next-line typescript/unbound-method -- both are called with their socket
const { write, push } = Socket.prototype;
const textOf = (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes ?? '').toString('latin1'));
const die = () => process.kill(process.pid, 'SIGKILL');
/** The reply subjects of the requests whose answer kills this process. */
const inboxes = new Set();

const isAnswer = (text) => [...text.matchAll(/PUB (\S+) /g)].some(([, subject]) => inboxes.has(subject));

function dieOnceSent(socket) {
  if (socket.writableLength === 0) die();
  setImmediate(dieOnceSent, socket);
}

Socket.prototype.push = function (chunk, ...rest) {
  for (const [, subject, inbox] of textOf(chunk).matchAll(/MSG (\S+) \S+ (\S+) \d+ \d+\r\n/g))
    if (asked.test(subject)) inboxes.add(inbox);
  return push.call(this, chunk, ...rest);
};

Socket.prototype.write = function (chunk, ...rest) {
  const text = textOf(chunk);
  if (before.test(text) || isAnswer(text)) die();
  const isDone = write.call(this, chunk, ...rest);
  if (after.test(text)) dieOnceSent(this);
  return isDone;
};
