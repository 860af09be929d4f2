import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteItem } from '@vigie/contracts/sites';
import { EllipsisVertical, Eye, Pencil, PlugZap, Trash2 } from 'lucide-react';
import { Dropdown } from '../../ui/Dropdown';
import { IconButton, iconButtonClass } from '../../ui/IconButton';

export type RowActionHandlers = {
  test: (site: SiteItem) => void;
  edit: (site: SiteItem) => void;
  remove: (site: SiteItem) => void;
};

type Props = { site: SiteItem; actions: RowActionHandlers };

const verbsOf = ({ site, actions }: Props) => [
  { icon: PlugZap, word: 'Tester', label: `Tester la connexion à ${site.name}`, run: () => actions.test(site) },
  { icon: Pencil, word: 'Modifier', label: `Modifier ${site.name}`, run: () => actions.edit(site) },
  { icon: Trash2, word: 'Supprimer', label: `Supprimer ${site.name}`, run: () => actions.remove(site) },
];

export const RowActions = (props: Props) => (
  <Group gap={0} wrap="nowrap">
    <Link
      to="/sites/$siteId"
      params={{ siteId: props.site.id }}
      search={{}}
      aria-label={`Voir ${props.site.name}`}
      data-edge
      className={iconButtonClass ?? ''}
    >
      <Eye size={18} strokeWidth={1.75} aria-hidden />
    </Link>
    {verbsOf(props).map(({ icon, label, run }) => (
      <IconButton key={label} isAtEdge icon={icon} label={label} onClick={run} />
    ))}
  </Group>
);

/** The actions of a card, which has no room for their buttons. */
export const RowMenu = (props: Props) => (
  <Dropdown label={`Actions sur ${props.site.name}`} icon={EllipsisVertical} isIcon>
    {(close) => (
      <Stack gap={4}>
        {verbsOf(props).map(({ icon: Icon, word, label, run }) => (
          <Button
            key={label}
            variant="subtle"
            justify="flex-start"
            aria-label={label}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => {
              close();
              run();
            }}
          >
            {word}
          </Button>
        ))}
      </Stack>
    )}
  </Dropdown>
);
