import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type IDisposable, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { copyText } from '../../ui/copy';
import type { Size } from './ConsoleLink';
import { palettes } from './colors';
import { arrowKey, type Arrow, type Shortcut, matchShortcut, toControlCharacter } from './keys';
import { safeLink, cleanPaste, needsConfirmation } from './confirmations';

export type TerminalSettings = { theme: keyof typeof palettes; fontSize: number; isScreenReader: boolean };
export type SearchResult = { index: number; count: number };

export type ScreenListener = {
  onInput: (bytes: Uint8Array) => void;
  onResize: (size: Size) => void;
  onShortcut: (shortcut: Shortcut) => void;
  onPaste: (text: string) => void;
  onLink: (url: string) => void;
  onSearchResult: (found: SearchResult) => void;
  onCtrl: (isHeld: boolean) => void;
};

const fitMs = 100;
const scrollback = 10_000;
const font = '"JetBrains Mono Variable", ui-monospace, monospace';
/** Undoes the modes that a killed program leaves behind, such as a hidden cursor or mouse reporting. */
const resetSequence = '\u001b[!p\u001b[?9l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1004l\u001b[?2004l\u001b[m';

Terminal.strings.promptLabel = 'Terminal';
Terminal.strings.tooMuchOutput = 'Trop de texte pour être lu\u00a0: parcourez l’écran ligne par ligne.';

const encoder = new TextEncoder();
const highlights = {
  light: { matchBackground: '#fde7a8', activeMatchBackground: '#f5b942' },
  dark: { matchBackground: '#5a4716', activeMatchBackground: '#8a5f00' },
};

/** A terminal with its own element, which moves between pages and keeps its content while it is hidden. */
export class TerminalScreen {
  readonly element = document.createElement('div');
  private readonly term: Terminal;
  private readonly fitAddon = new FitAddon();
  private readonly searchAddon = new SearchAddon();
  private readonly observer = new ResizeObserver(() => this.fitSoon());
  private fitTimer: ReturnType<typeof setTimeout> | undefined;
  private isReplaying = false;
  private isCtrl = false;
  private settings: TerminalSettings;

  constructor(
    private readonly listener: ScreenListener,
    settings: TerminalSettings,
    size: Size | undefined,
  ) {
    this.settings = settings;
    this.element.dataset['terminal'] = '';
    this.term = new Terminal({
      ...size,
      allowProposedApi: true,
      cursorBlink: false,
      cursorInactiveStyle: 'outline',
      fontFamily: font,
      fontSize: settings.fontSize,
      lineHeight: 1.2,
      minimumContrastRatio: 4.5,
      scrollback,
      screenReaderMode: settings.isScreenReader,
      theme: palettes[settings.theme],
      linkHandler: { activate: (_event, url) => this.openLink(url), allowNonHttpProtocols: false },
    });
    this.addAddons();
    this.listen();
    this.muteReplies();
  }

  private get isAlternate(): boolean {
    return this.term.buffer.active.type === 'alternate';
  }

  get size(): Size {
    return { cols: this.term.cols, rows: this.term.rows };
  }

  /** Shows the terminal in an element, and returns the function that removes it. */
  mount(parent: HTMLElement): () => void {
    parent.append(this.element);
    const isFirst = !this.term.element;
    if (isFirst) {
      this.term.open(this.element);
      this.fit();
    }
    // xterm pauses itself with an older IntersectionObserver while it is hidden. A resize before that observer resumes it
    // would apply only partly, and scroll the view away from the last line.
    const visibility = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      visibility.disconnect();
      if (!isFirst) this.fit();
      this.observer.observe(this.element);
    });
    visibility.observe(this.element);
    return () => {
      visibility.disconnect();
      this.observer.disconnect();
      clearTimeout(this.fitTimer);
      if (this.element.parentElement === parent) this.element.remove();
    };
  }

  focus(): void {
    this.term.focus();
  }

  dispose(): void {
    this.observer.disconnect();
    this.term.dispose();
    this.element.remove();
  }

  write(bytes: Uint8Array, onDone: () => void): void {
    this.term.write(bytes, onDone);
  }

  /** Writes a dim message of Vigie on its own line. */
  note(text: string, isEnd = false): void {
    const line = `\u001b[90m— ${cleanPaste(text).replace(/\s+/g, ' ')} —\u001b[39m\r\n`;
    this.term.write('', () => {
      const { isAlternate } = this;
      // A full-screen program would be disturbed by the message.
      if (isAlternate && !isEnd) return;
      if (isEnd) this.term.write(isAlternate ? `\u001b[?1049l${resetSequence}` : resetSequence);
      this.term.write('', () => this.term.write(this.term.buffer.active.cursorX > 0 ? `\r\n${line}` : line));
    });
  }

  /** While output is replayed, the terminal must not answer its queries: they were answered when they were first shown. */
  replay(isReplaying: boolean): void {
    this.term.write('', () => {
      this.isReplaying = isReplaying;
    });
  }

  applySettings(settings: TerminalSettings): void {
    const hasNewSize = settings.fontSize !== this.settings.fontSize;
    this.settings = settings;
    this.term.options.theme = palettes[settings.theme];
    this.term.options.screenReaderMode = settings.isScreenReader;
    if (!hasNewSize) return;
    this.term.options.fontSize = settings.fontSize;
    this.fit();
  }

  paste(text: string): void {
    this.term.paste(cleanPaste(text));
    this.focus();
  }

  press(key: 'escape' | 'tab' | 'ctrl' | Arrow | '|' | '~' | '/'): void {
    if (key === 'ctrl') return this.holdCtrl(!this.isCtrl);
    if (key === 'escape') return this.type('\u001b');
    if (key === 'tab') return this.type('\t');
    if (key === '|' || key === '~' || key === '/') return this.type(key);
    return this.type(arrowKey(key, this.term.modes.applicationCursorKeysMode));
  }

  find(text: string, direction: 'next' | 'previous' | 'same'): void {
    const colors = highlights[this.settings.theme];
    const options = {
      incremental: direction === 'same',
      decorations: { ...colors, matchOverviewRuler: '#c46a00', activeMatchColorOverviewRuler: '#c46a00' },
    };
    if (text === '') this.searchAddon.clearDecorations();
    else if (direction === 'previous') this.searchAddon.findPrevious(text, options);
    else this.searchAddon.findNext(text, options);
  }

  stopFinding(): void {
    this.searchAddon.clearDecorations();
    this.term.clearSelection();
  }

  private addAddons(): void {
    this.term.loadAddon(this.fitAddon);
    this.term.loadAddon(this.searchAddon);
    this.term.loadAddon(new WebLinksAddon((_event, url) => this.openLink(url)));
    this.term.loadAddon(new Unicode11Addon());
    this.term.unicode.activeVersion = '11';
  }

  private listen(): void {
    const { term, listener } = this;
    term.onData((text) => this.type(text));
    term.onBinary((text) => listener.onInput(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
    term.onResize((size) => listener.onResize(size));
    this.searchAddon.onDidChangeResults(({ resultIndex, resultCount }) =>
      listener.onSearchResult({ index: resultIndex, count: resultCount }),
    );
    term.attachCustomKeyEventHandler((event) => {
      const shortcut = matchShortcut(event);
      if (shortcut === undefined) return true;
      // The browser fires its own paste event.
      if (shortcut === 'paste') return false;
      event.preventDefault();
      event.stopPropagation();
      if (event.type === 'keydown') this.runShortcut(shortcut);
      return false;
    });
    this.element.addEventListener('paste', (event) => this.readPaste(event), { capture: true });
  }

  private runShortcut(shortcut: Shortcut): void {
    if (shortcut !== 'copy') return this.listener.onShortcut(shortcut);
    const text = this.term.getSelection();
    if (text !== '') void copyText(text);
    return undefined;
  }

  private readPaste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    event.preventDefault();
    event.stopPropagation();
    if (needsConfirmation(text)) this.listener.onPaste(text);
    else if (text !== '') this.paste(text);
  }

  private type(text: string): void {
    const typed = this.isCtrl ? toControlCharacter(text) : text;
    if (this.isCtrl) this.holdCtrl(false);
    this.listener.onInput(encoder.encode(typed));
  }

  private holdCtrl(isHeld: boolean): void {
    this.isCtrl = isHeld;
    this.listener.onCtrl(isHeld);
  }

  private openLink(text: string): void {
    const url = safeLink(text);
    if (url !== undefined) this.listener.onLink(url);
  }

  private muteReplies(): void {
    const { parser } = this.term;
    const mute = () => this.isReplaying;
    const muteQuestion = (data: string) => this.isReplaying && data.includes('?');
    const csi = [
      { final: 'c' },
      { prefix: '>', final: 'c' },
      { prefix: '=', final: 'c' },
      { final: 'n' },
      { prefix: '?', final: 'n' },
      { prefix: '>', final: 'q' },
      { intermediates: '$', final: 'p' },
      { prefix: '?', intermediates: '$', final: 'p' },
    ];
    const handlers: IDisposable[] = csi.map((id) => parser.registerCsiHandler(id, mute));
    handlers.push(parser.registerDcsHandler({ intermediates: '$', final: 'q' }, mute));
    for (const id of [4, 10, 11, 12]) handlers.push(parser.registerOscHandler(id, muteQuestion));
  }

  private fitSoon(): void {
    clearTimeout(this.fitTimer);
    this.fitTimer = setTimeout(() => this.fit(), fitMs);
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    // A hidden terminal keeps its size.
    if (this.element.isConnected && width > 40 && height > 30) this.fitAddon.fit();
  }
}

/** xterm measures its letters once, so the font must be loaded before. */
export async function loadFont(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, 2_000));
  await Promise.race([document.fonts.load(`13px ${font}`).catch(() => undefined), timeout]);
}
