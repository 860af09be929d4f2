import { Text } from '@mantine/core';
import type { Site } from '@vigie/contracts/sites';
import { isOwn } from '../../kit/fleet/roles';
import { Callout } from '../../ui/Callout';
import { Fact, FactList } from '../../ui/FactList';
import { addressOf } from '../../ui/serverAddress';
import styles from './sites.module.css';
import { bootWords, spellDatabase } from './words';

type SiteState = NonNullable<Site['facts']>;

const yesOrNo = (value: boolean | null) => (value === null ? '—' : value ? 'Oui' : 'Non');

/** What limits Vigie on this site. */
function warningsOf({ url }: Site, state: SiteState): string[] {
  const {
    forbids_changes: forbidsChanges,
    is_composer: isComposer,
    is_writable: isWritable,
    home_url: homeUrl,
  } = state;
  const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host.replace(/^www\./, '') : address);
  return [
    forbidsChanges ? 'DISALLOW_FILE_MODS est actif\u00a0: rien ne peut y être installé ni mis à jour.' : '',
    isComposer ? 'Composer gère ce site\u00a0: ses mises à jour se font dans son dépôt.' : '',
    isWritable === false ? 'L’utilisateur SSH ne peut pas écrire dans les fichiers de ce site.' : '',
    homeUrl !== null && hostOf(homeUrl) !== hostOf(url)
      ? `WordPress utilise une autre adresse pour ce site\u00a0: ${homeUrl}.`
      : '',
  ].filter(Boolean);
}

export function HostingDetails({ site, state }: { site: Site; state: SiteState }) {
  const warnings = warningsOf(site, state);
  return (
    <>
      {warnings.length > 0 && (
        <Callout tone="warn">
          {warnings.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Callout>
      )}
      <FactList className={styles['hosting']}>
        <Fact name="PHP">{state.php ? <span title={state.php.binary}>{state.php.version}</span> : '—'}</Fact>
        <Fact name="Base de données">{state.database ? spellDatabase(state.database) : '—'}</Fact>
        {isOwn(site) && <Fact name="Propriétaire des fichiers">{state.owner ?? '—'}</Fact>}
        <Fact name="Écriture possible">{yesOrNo(state.is_writable)}</Fact>
        <Fact name="Multisite">{yesOrNo(state.is_multisite)}</Fact>
        <Fact name="Composer">{yesOrNo(state.is_composer)}</Fact>
        <Fact name="DISALLOW_FILE_MODS">{state.forbids_changes ? 'Actif' : 'Inactif'}</Fact>
        {isOwn(site) && <Places site={site} contentDir={state.content_dir} />}
      </FactList>
      {state.needs_boot.length > 0 && (
        <Text variant="note">
          {`Les fichiers seuls ne disent pas tout de ce site\u00a0: ${state.needs_boot.map((reason) => bootWords[reason]).join(', ')}.`}
        </Text>
      )}
    </>
  );
}

/** Where the site is on its host. */
function Places({ site, contentDir }: { site: Site; contentDir: SiteState['content_dir'] }) {
  const { effective, wp_path: path } = site.connection.ssh;
  return (
    <>
      <Fact name="Adresse SSH">
        <code>{effective ? addressOf(effective) : '—'}</code>
      </Fact>
      <Fact name="Dossier">
        <code>{path ?? '—'}</code>
      </Fact>
      {contentDir !== null && (
        <Fact name="Contenu">
          <code>{contentDir}</code>
        </Fact>
      )}
    </>
  );
}
