import { describe, expect, it } from '@jest/globals';
import { type ActivityItem, ActivityType } from '@vigie/contracts/activity';
import { badgeOf, deedOf } from './words';

const blank = { id: '', site_id: null, site_name: null, server_id: null, server_name: null, created_at: '' };
const spell = (item: Partial<ActivityItem> & Pick<ActivityItem, 'type'>) => {
  const { actor, deed, target, more } = deedOf({ ...blank, actor_name: 'Anne', details: {}, ...item });
  return [actor, deed, target, more].filter(Boolean).join(' ');
};

describe('a line of the feed', () => {
  it('says who did what to what', () => {
    expect(spell({ type: 'login' })).toBe('Anne a ouvert une session');
    expect(spell({ type: 'user_delete', details: { name: 'Yann Le Goff' } })).toBe(
      'Anne a supprimé le compte de Yann Le Goff',
    );
    expect(spell({ type: 'backup_create', site_name: 'lumiere.fr' })).toBe('Anne a fait une sauvegarde sur lumiere.fr');
    expect(spell({ type: 'server_create', server_name: 'web-1' })).toBe('Anne a ajouté le serveur web-1');
    expect(
      spell({ type: 'plugin_update', site_name: 'lumiere.fr', details: { name: 'Akismet', from: '5.1', to: '5.3' } }),
    ).toBe('Anne a mis à jour le plugin Akismet 5.1 → 5.3 sur lumiere.fr');
  });

  it('tells one’s own second factor from another’s', () => {
    expect(spell({ type: '2fa_disable' })).toBe('Anne a désactivé sa 2FA');
    expect(spell({ type: '2fa_disable', details: { name: 'Yann' } })).toBe('Anne a réinitialisé la 2FA de Yann');
  });

  it('names nobody where nobody did it', () => {
    expect(spell({ type: 'core_update', actor_name: null, site_name: 'lumiere.fr' })).toBe(
      'La console a mis WordPress à jour sur lumiere.fr',
    );
  });

  it('takes nothing but text from the details', () => {
    expect(spell({ type: 'user_edit', details: { name: { first: 'x' }, from: 1, to: 2 } })).toBe(
      'Anne a modifié le compte de',
    );
  });
});

it('has a badge for every type, in the tones of the specification', () => {
  const toneOf = (type: ActivityType) => badgeOf(type).tone;
  for (const type of ActivityType.options) {
    expect(badgeOf(type).word).toMatch(/^\p{Lu}/u);
    if (type.includes('update')) expect(toneOf(type)).toBe('info');
    else if (type.includes('install')) expect(toneOf(type)).toBe('ok');
    else if (type.includes('delete')) expect(toneOf(type)).toBe('danger');
    else expect(toneOf(type)).toBe(type === 'plugin_activate' ? 'ok' : 'neutral');
  }
});
