import { describe, expect, it } from 'vitest';
import { type ActivityItem, activityFilters, ActivityType } from '@vigie/contracts/activity';
import { activityBadge, describeActivity, endBadge, activityLocation, describeBatch, proposalOf } from './words';

const blank = {
  id: '',
  site_id: null,
  site_name: null,
  server_id: null,
  server_name: null,
  job_id: null,
  batch_id: null,
  run: null,
  created_at: '',
};
const formatLine = (item: Partial<ActivityItem> & Pick<ActivityItem, 'type'>) => {
  const { actor, action, target, complement, location } = describeActivity({
    ...blank,
    actor_name: 'Anne',
    details: {},
    ...item,
  });
  return [actor, action, target, complement, location && `sur ${location}`].filter(Boolean).join(' ');
};

describe('a line of the feed', () => {
  it('names the actor, the action and its target', () => {
    expect(formatLine({ type: 'login' })).toBe('Anne a ouvert une session');
    expect(formatLine({ type: 'user_delete', details: { name: 'Yann Le Goff' } })).toBe(
      'Anne a supprimé le compte de Yann Le Goff',
    );
    expect(formatLine({ type: 'server_create', server_name: 'web-1' })).toBe('Anne a ajouté le serveur web-1');
    expect(
      formatLine({
        type: 'plugin_update',
        site_name: 'lumiere.fr',
        details: { name: 'Akismet', from: '5.1', to: '5.3' },
      }),
    ).toBe('Anne a mis à jour le plugin Akismet 5.1 → 5.3 sur lumiere.fr');
  });

  it('says which action failed, and why', () => {
    const details = {
      name: 'Akismet',
      from: '5.1',
      to: '5.3',
      state: 'failed',
      code: 'rolled_back',
      reason: 'Page blanche.',
    };
    const item = { ...blank, type: 'plugin_update' as const, actor_name: 'Anne', site_name: 'lumiere.fr', details };
    expect(formatLine(item)).toBe('Anne n’a pas pu mettre à jour le plugin Akismet 5.1 → 5.3 sur lumiere.fr');
    expect(describeActivity(item).reason).toBe('Page blanche.');
    expect(endBadge(item)?.word).toBe('Annulée, site rétabli');
    expect(endBadge({ details: { ...details, still: 'La page est vide.' } })?.word).toBe('Échec, site non rétabli');
    expect(endBadge({ details: { ...details, code: 'not_rolled_back' } })?.word).toBe('Échec, site non rétabli');
    expect(endBadge({ details: { ...details, code: 'no_room' } })?.word).toBe('Échec');
    expect(describeActivity({ ...item, details: { ...details, state: 'succeeded', code: '' } }).reason).toBe('');
    expect(formatLine({ type: 'theme_activate', details: { name: 'Phare', state: 'unknown' } })).toBe(
      'Anne a voulu activer le thème Phare',
    );
  });

  it('names a backup by its file', () => {
    const item = { type: 'backup_create' as const, site_name: 'lumiere.fr', details: { filename: 'lumiere.wpress' } };
    expect(formatLine(item)).toBe('Anne a fait la sauvegarde lumiere.wpress sur lumiere.fr');
    const details = { filename: 'lumiere.wpress', state: 'failed', reason: 'Disque plein.' };
    expect(formatLine({ ...item, type: 'backup_import', details })).toBe(
      'Anne n’a pas pu importer la sauvegarde lumiere.wpress sur lumiere.fr',
    );
    expect(formatLine({ ...item, type: 'backup_restore' })).toBe(
      'Anne a restauré la sauvegarde lumiere.wpress sur lumiere.fr',
    );
    expect(formatLine({ ...item, type: 'backup_restore', details: { ...details, state: 'unknown' } })).toBe(
      'Anne a voulu restaurer la sauvegarde lumiere.wpress sur lumiere.fr',
    );
  });

  it('distinguishes a manual rollback from an update', () => {
    const details = { name: 'WordPress', from: '6.8', to: '6.7', state: 'succeeded', restored: true };
    expect(formatLine({ type: 'core_update', details })).toBe(
      'Anne a rétabli la version précédente de WordPress 6.8 → 6.7',
    );
    expect(formatLine({ type: 'plugin_update', details: { ...details, name: 'Akismet' } })).toBe(
      'Anne a rétabli la version précédente du plugin Akismet 6.8 → 6.7',
    );
  });

  it('distinguishes one’s own second factor from that of another user', () => {
    expect(formatLine({ type: '2fa_disable' })).toBe('Anne a désactivé sa 2FA');
    expect(formatLine({ type: '2fa_disable', details: { name: 'Yann' } })).toBe('Anne a réinitialisé la 2FA de Yann');
  });

  it('names the passkey that was added or deleted', () => {
    const details = { name: 'Ordinateur du bureau' };
    expect(formatLine({ type: 'passkey_create', details })).toBe('Anne a ajouté la clé d’accès Ordinateur du bureau');
    expect(formatLine({ type: 'passkey_delete', details })).toBe('Anne a supprimé la clé d’accès Ordinateur du bureau');
  });

  it('says what is shared with whom', () => {
    const details = { to: 'Paul', role: 'viewer' };
    expect(formatLine({ type: 'grant_create', site_id: 's', site_name: 'vitrine', details })).toBe(
      'Anne a partagé le site vitrine avec Paul (Lecture)',
    );
    expect(formatLine({ type: 'grant_edit', site_id: 's', site_name: 'vitrine', details })).toBe(
      'Anne a partagé autrement le site vitrine avec Paul (Lecture)',
    );
    expect(formatLine({ type: 'grant_delete', site_id: 's', site_name: 'vitrine', details })).toBe(
      'Anne ne partage plus le site vitrine avec Paul',
    );
    const ofGroup = { name: 'Clients', to: 'Atelier', role: 'manager' };
    expect(formatLine({ type: 'grant_create', details: ofGroup })).toBe(
      'Anne a partagé le groupe Clients avec Atelier (Gestion)',
    );
    expect(formatLine({ type: 'grant_delete', details: ofGroup })).toBe(
      'Anne ne partage plus le groupe Clients avec Atelier',
    );
    expect(formatLine({ type: 'grant_create', details: { ...ofGroup, role: 'king' } })).toBe(
      'Anne a partagé le groupe Clients avec Atelier',
    );
  });

  it('says whose something is now', () => {
    const details = { from: 'Paul', to: 'Zoé' };
    const line = { type: 'owner_change', details } as const;
    expect(formatLine({ ...line, site_id: 's', site_name: 'vitrine' })).toBe(
      'Anne a confié le site vitrine à Zoé (avant\u00a0: Paul)',
    );
    expect(formatLine({ ...line, server_id: 's', server_name: 'nuage' })).toBe(
      'Anne a confié le serveur nuage à Zoé (avant\u00a0: Paul)',
    );
    expect(formatLine({ type: 'owner_change', details: { ...details, name: 'Clients' } })).toBe(
      'Anne a confié le groupe Clients à Zoé (avant\u00a0: Paul)',
    );
  });

  it('tells which command was run only to those who may read it', () => {
    const line = { type: 'site_command', site_name: 'Vitrine' } as const;
    expect(formatLine({ ...line, details: { command: '$ du -sh' } })).toBe(
      'Anne a lancé une commande $ du -sh sur Vitrine',
    );
    expect(formatLine({ ...line, details: { state: 'failed' } })).toBe('Anne a lancé une commande sur Vitrine');
  });

  it('tells what became of a proposal', () => {
    const line = { site_id: 's', site_name: 'Vitrine', details: { proposal_id: 'p', order: 'backups' } } as const;
    expect(formatLine({ ...line, type: 'proposal_create' })).toBe('Anne a proposé de sauvegarder Vitrine');
    expect(formatLine({ ...line, type: 'proposal_create', details: { ...line.details, token: 'Claude' } })).toBe(
      'Anne a proposé de sauvegarder Vitrine avec le jeton «\u00a0Claude\u00a0»',
    );
    expect(formatLine({ ...line, type: 'proposal_confirm' })).toBe(
      'Anne a confirmé la proposition de sauvegarder Vitrine',
    );
    const rollback = { ...line, details: { ...line.details, order: 'rollback' } };
    expect(formatLine({ ...rollback, type: 'proposal_reject' })).toBe(
      'Anne a refusé la proposition de revenir à une version précédente sur Vitrine',
    );
    expect(formatLine({ ...line, details: {}, type: 'proposal_refuse' })).toBe(
      'Anne n’a pas pu exécuter la proposition d’agir sur Vitrine',
    );
    const run = { id: 'b', lines: 3, sites: 3, failed: 0, undone: 0 };
    expect(describeBatch({ type: 'proposal_create', run, details: line.details })).toBe(
      'a proposé de sauvegarder 3\u00a0sites',
    );
    expect(proposalOf({ type: 'proposal_create', details: line.details })).toBe('p');
    expect(proposalOf({ type: 'backup_create', details: line.details })).toBeNull();
    expect(activityBadge('proposal_create')).toEqual({ tone: 'neutral', word: 'Proposition' });
  });

  it('names the console when no user acted', () => {
    expect(formatLine({ type: 'core_update', actor_name: null, site_name: 'lumiere.fr' })).toBe(
      'La console a mis WordPress à jour sur lumiere.fr',
    );
  });

  it('ignores details that are not text', () => {
    expect(formatLine({ type: 'user_edit', details: { name: { first: 'x' }, from: 1, to: 2 } })).toBe(
      'Anne a modifié le compte de',
    );
  });
});

it('links to its site or server, unless that was deleted', () => {
  const item = { ...blank, actor_name: null, details: {}, site_id: 's' };
  expect(activityLocation({ ...item, type: 'site_edit' })).toEqual({ siteId: 's' });
  expect(activityLocation({ ...item, type: 'site_delete' })).toBeUndefined();
  expect(activityLocation({ ...item, type: 'backup_delete' })).toEqual({ siteId: 's' });
  expect(activityLocation({ ...item, type: 'grant_delete' })).toEqual({ siteId: 's' });
  expect(activityLocation({ ...item, type: 'server_create', site_id: null, server_id: 'v' })).toEqual({
    serverId: 'v',
  });
  expect(activityLocation({ ...item, type: 'login', site_id: null })).toBeUndefined();
});

it.each([
  ['core_update', 12, 5, 'a lancé 12 mises à jour sur 5 sites'],
  ['plugin_activate', 2, 1, 'a lancé 2 activations sur 1 site'],
  ['plugin_deactivate', 2, 1, 'a lancé 2 désactivations sur 1 site'],
  ['login', 3, 0, 'a lancé 3 opérations'],
] as const)('sums up a batch of %s in one sentence', (type, lines, sites, sentence) => {
  expect(
    describeBatch({ type, run: { id: '', lines, sites, failed: 0, undone: 0 }, details: {} }).replaceAll('\u00a0', ' '),
  ).toBe(sentence);
});

it('assigns each type to one kind of the filter', () => {
  expect(Object.values(activityFilters).flat().toSorted()).toEqual([...ActivityType.options].toSorted());
});

it('has a badge for every type, in the tones of the specification', () => {
  const toneOf = (type: ActivityType) => activityBadge(type).tone;
  for (const type of ActivityType.options) {
    expect(activityBadge(type).word).toMatch(/^\p{Lu}/u);
    if (type.includes('update')) expect(toneOf(type)).toBe('info');
    else if (type.includes('install')) expect(toneOf(type)).toBe('ok');
    else if (type.includes('delete')) expect(toneOf(type)).toBe('danger');
    else expect(toneOf(type)).toBe(type === 'plugin_activate' ? 'ok' : 'neutral');
  }
});
