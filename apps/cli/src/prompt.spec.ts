import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { Prompt } from './prompt';

const prompts: Prompt[] = [];
afterEach(() => {
  for (const prompt of prompts.splice(0)) prompt.close();
});

/** A prompt at a keyboard, whose questions go to a screen or to a file. */
function open({ isOutputTTY = true, isInputTTY = true } = {}) {
  const rawModes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: isInputTTY,
    setRawMode: (isRaw: boolean) => rawModes.push(isRaw),
  });
  const screen = Object.assign(new PassThrough(), { isTTY: isOutputTTY });
  const shown = { text: '' };
  screen.setEncoding('utf8').on('data', (text: string) => {
    shown.text += text;
  });
  const prompt = new Prompt(input as unknown as NodeJS.ReadStream, screen as unknown as NodeJS.WriteStream);
  prompts.push(prompt);
  return { prompt, type: (text: string) => input.write(text), shown, rawModes };
}

const up = '\u001b[A';

describe('a secret', () => {
  it('is not shown, and no key brings it back at the next question', async () => {
    const { prompt, type, shown } = open();
    const secret = prompt.askSecret('Mot de passe : ');
    type('très-secret\r');
    expect(await secret).toBe('très-secret');
    const code = prompt.ask('Code : ');
    type(`${up}123456\r`);
    expect(await code).toBe('123456');
    expect(shown.text).toContain('123456');
    expect(shown.text).not.toContain('secret');
  });

  it('is not shown by the terminal either where the questions go to a file', async () => {
    const { prompt, type, shown, rawModes } = open({ isOutputTTY: false });
    const secret = prompt.askSecret('Mot de passe : ');
    type('très-secret\r');
    expect(await secret).toBe('très-secret');
    expect([rawModes, shown.text]).toEqual([[true], 'Mot de passe : ']);
  });

  it('comes through a pipe too', async () => {
    const { prompt, type, rawModes } = open({ isInputTTY: false });
    type('très-secret\n');
    expect(await prompt.askSecret('')).toBe('très-secret');
    expect(rawModes).toEqual([]);
  });
});

it('cleans its questions, since they hold names of the server', async () => {
  const { prompt, type, shown } = open();
  const isSure = prompt.confirm('fr', 'Restaurer Pirate\u001b[2J\u001b]0;titre\u0007\r\nRien\u202e ?');
  type('o\r');
  expect(await isSure).toBe(true);
  expect(shown.text).toMatch(/^Restaurer Pirate Rien \? \(o\/n\) /);
});
