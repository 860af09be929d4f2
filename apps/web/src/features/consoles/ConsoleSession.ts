import { createSignal, type Signal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { type AttachSummary, ConsoleLink, type Size } from './ConsoleLink';
import { gatewayFor } from './console-gateway';
import type { Shortcut } from './keys';
import { isOver, type LinkState, type Trouble } from './link-state';
import { preferences } from './terminal-preferences';
import { removeStoredConsole, storeConsole } from './stored-consoles';
import type { Target } from './targets';
import type { SearchResult, TerminalSettings, TerminalScreen } from './TerminalScreen';

export type View = {
  state: LinkState;
  /** Whether the code of the terminal is loaded. */
  screen: 'loading' | 'ready' | 'failed';
  latency: number | undefined;
  /** The last message for screen readers. */
  announcement: string;
  isIdle: boolean;
  isCtrl: boolean;
  searchResult: SearchResult;
  /** The confirmation that is open. */
  confirmation: { kind: 'paste'; text: string } | { kind: 'link'; url: string } | undefined;
};

type ExistingConsole = { id: string; size?: Size | undefined; isElsewhere?: boolean };

const idleMs = 25 * 60_000;
const replayPauseMs = 300;
const idleCheckMs = 30_000;
const openElsewhere = { code: 'taken_over', message: 'Cette console est ouverte dans une autre fenêtre.' };
const loadFailed = 'Chargement du terminal échoué.';

let count = 0;

/** One tab: the link to a shell, and the screen that shows it. It outlives the page that shows it. */
export class ConsoleSession {
  readonly key: string;
  readonly view: Signal<View>;
  private link: ConsoleLink | undefined;
  private screen: TerminalScreen | undefined;
  private loading: Promise<TerminalScreen | undefined> | undefined;
  private onShortcut: ((shortcut: Shortcut) => void) | undefined;
  private theme: TerminalSettings['theme'] = 'light';
  private readonly unsubscribers: (() => void)[] = [];
  private readonly idleTimer = setInterval(() => this.checkIdle(), idleCheckMs);
  private replayTimer: ReturnType<typeof setTimeout> | undefined;
  private activeAt = performance.now();
  private isClosed = false;

  constructor(
    readonly target: Target,
    private existing?: ExistingConsole,
  ) {
    count += 1;
    this.key = `${count}`;
    this.view = createSignal<View>({
      state: existing?.isElsewhere
        ? { status: 'gone', trouble: openElsewhere, isAlive: true }
        : { status: 'connecting' },
      screen: 'loading',
      latency: undefined,
      announcement: '',
      isIdle: false,
      isCtrl: false,
      searchResult: { index: -1, count: 0 },
      confirmation: undefined,
    });
    this.unsubscribers.push(preferences.subscribe(() => this.applyTheme(this.theme)));
  }

  get console(): string | undefined {
    return this.link?.console ?? this.existing?.id;
  }

  /** Reconnects in its previous size before the tab is shown. */
  resume(): void {
    if (this.existing?.size) void this.load().then(() => this.connect());
  }

  /** Shows the terminal in an element, and returns the function that removes it. */
  mount(parent: HTMLElement, takesFocus: boolean, onShortcut: (shortcut: Shortcut) => void): () => void {
    this.onShortcut = onShortcut;
    let unmount: (() => void) | undefined;
    let isUnmounted = false;
    void this.load().then((screen) => {
      if (isUnmounted || !screen) return;
      unmount = screen.mount(parent);
      if (takesFocus) screen.focus();
      if (this.view.get().state.status === 'connecting') this.connect();
    });
    return () => {
      isUnmounted = true;
      unmount?.();
      if (this.onShortcut === onShortcut) this.onShortcut = undefined;
    };
  }

  applyTheme(theme: TerminalSettings['theme']): void {
    this.theme = theme;
    this.screen?.applySettings({ theme, ...preferences.get() });
  }

  focus = (): void => this.screen?.focus();
  press: TerminalScreen['press'] = (key) => this.screen?.press(key);
  find: TerminalScreen['find'] = (text, direction) => this.screen?.find(text, direction);
  stopFinding = (): void => this.screen?.stopFinding();

  paste(text: string): void {
    this.update({ confirmation: undefined });
    this.screen?.paste(text);
  }

  dismiss(): void {
    this.update({ confirmation: undefined });
    this.focus();
  }

  keepOpen(): void {
    this.activeAt = performance.now();
    if (this.view.get().isIdle) this.update({ isIdle: false });
  }

  /** Reconnects to the same shell. */
  retry(): void {
    if (this.link) this.link.retry();
    else {
      this.update({ state: { status: 'connecting' } });
      this.connect();
    }
  }

  /** Opens a new shell in the same tab. */
  restart(): void {
    this.link?.leave();
    this.link = undefined;
    this.existing = undefined;
    this.update({ state: { status: 'connecting' }, latency: undefined });
    this.connect();
  }

  wake(): void {
    this.link?.wake();
  }

  /** Closes the tab and leaves the shell running. */
  leave(): void {
    this.isClosed = true;
    clearInterval(this.idleTimer);
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    this.link?.leave();
    this.screen?.dispose();
  }

  private load(): Promise<TerminalScreen | undefined> {
    this.loading ??= this.loadScreen();
    return this.loading;
  }

  private async loadScreen(): Promise<TerminalScreen | undefined> {
    try {
      const { TerminalScreen, loadFont } = await import('./TerminalScreen');
      await loadFont();
      if (this.isClosed) return undefined;
      this.screen = new TerminalScreen(
        {
          onInput: (bytes) => this.type(bytes),
          onResize: (size) => this.resize(size),
          onShortcut: (shortcut) => this.onShortcut?.(shortcut),
          onPaste: (text) => this.update({ confirmation: { kind: 'paste', text } }),
          onLink: (url) => this.update({ confirmation: { kind: 'link', url } }),
          onSearchResult: (searchResult) => this.update({ searchResult }),
          onCtrl: (isCtrl) => this.update({ isCtrl }),
        },
        { theme: this.theme, ...preferences.get() },
        this.existing?.size,
      );
      this.update({ screen: 'ready' });
      return this.screen;
    } catch {
      this.update({ screen: 'failed', announcement: loadFailed });
      toast.error(loadFailed);
      return undefined;
    }
  }

  private connect(): void {
    const { screen } = this;
    if (this.link || !screen || this.isClosed) return;
    this.link = new ConsoleLink(
      gatewayFor(this.target),
      {
        onState: (state) => this.applyState(state),
        onAttached: (attachment) => this.applyAttachment(screen, attachment),
        onOutput: (bytes, onConsumed) => {
          // A shell draws its prompt again when the note of an idle console makes the terminal smaller: the note stays.
          this.activeAt = performance.now();
          if (this.replayTimer !== undefined) this.endReplaySoon(screen);
          screen.write(bytes, onConsumed);
        },
        onLatency: (latency) => this.update({ latency }),
      },
      screen.size,
      this.existing?.id,
    );
    this.link.open();
  }

  private type(bytes: Uint8Array): void {
    const { state } = this.view.get();
    const isEnter = bytes.length === 1 && bytes[0] === 13;
    this.keepOpen();
    if (isOver(state)) {
      if (isEnter) this.restart();
    } else if (state.status === 'lost' || state.status === 'gone') {
      if (isEnter) this.retry();
    } else this.link?.type(bytes);
  }

  private resize(size: Size): void {
    this.link?.resize(size);
    this.storeSize();
  }

  private storeSize(): void {
    const id = this.link?.console;
    if (id !== undefined && this.screen) storeConsole(id, this.screen.size);
  }

  private applyAttachment(screen: TerminalScreen, { isNew, isReplay, lostOutput, lostInput }: AttachSummary): void {
    this.storeSize();
    if (isReplay) {
      screen.replay(true);
      this.endReplaySoon(screen);
    }
    if (isNew) screen.note('Console ouverte');
    if (lostInput > 0) toast.warning('Une partie de ce que vous aviez tapé n’est pas arrivée.');
    if (lostOutput > 0 && !isReplay) screen.note('Une partie de l’affichage est perdue');
  }

  /** The replayed output arrives at once, so a pause marks its end. */
  private endReplaySoon(screen: TerminalScreen): void {
    clearTimeout(this.replayTimer);
    this.replayTimer = setTimeout(() => {
      this.replayTimer = undefined;
      screen.replay(false);
    }, replayPauseMs);
  }

  private applyState(state: LinkState): void {
    const previous = this.view.get().state;
    this.update({ state, ...(state.status !== 'connected' && { latency: undefined }) });
    if (state.status === 'connected') {
      this.update({ announcement: previous.status === 'reconnecting' ? 'Connexion rétablie' : 'Console ouverte' });
      // A tab that slept for long is told at once that its console may be closed.
      this.checkIdle();
    } else if (state.status === 'reconnecting') {
      if (state.attempt === 1) this.announceLoss(state.unopened);
    } else if (state.status === 'ended') {
      this.announceEnd(
        `Console fermée (${state.signal === null ? `code ${state.code ?? 'inconnu'}` : `signal ${state.signal}`})`,
      );
    } else if (state.status === 'gone' || (state.status === 'lost' && previous.status !== 'lost')) {
      // Any request gets a 401 when the session is over, which leads to the login.
      if (state.trouble.code === 'session_ended') void gatewayFor(this.target).requestTicket();
      this.announceEnd(`Erreur\u00a0: ${state.trouble.message}`, !isOver(state));
    }
  }

  private announceLoss(unopened: Trouble | undefined): void {
    const text = unopened && `Erreur\u00a0: ${unopened.message}`;
    if (text !== undefined) this.screen?.note(text);
    this.update({ announcement: text ?? 'Connexion perdue, reconnexion en cours' });
  }

  private announceEnd(text: string, hasShell = false): void {
    this.update({ announcement: text, isIdle: false });
    this.screen?.note(text, !hasShell);
    const id = this.console;
    if (!hasShell && id !== undefined) removeStoredConsole(id);
  }

  private checkIdle(): void {
    const { state, isIdle } = this.view.get();
    if (!isIdle && state.status === 'connected' && performance.now() - this.activeAt > idleMs)
      this.update({ isIdle: true });
  }

  private update(change: Partial<View>): void {
    this.view.set({ ...this.view.get(), ...change });
  }
}
