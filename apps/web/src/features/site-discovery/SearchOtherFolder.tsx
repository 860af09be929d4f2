import { Button, Group, TextInput } from '@mantine/core';
import { wpPath } from '@vigie/contracts/site-address';
import { Disclosure } from '../../ui/Disclosure';
import { useDraftForm } from '../../kit/form/useDraftForm';

const folderMissing = 'Saisissez un dossier du serveur, par exemple /data/sites.';

const blank = { folder: '' };

function checkFolder({ folder }: typeof blank): { folder?: string } {
  const parsed = wpPath.safeParse(folder.trim());
  const message = parsed.data === '' ? folderMissing : parsed.error?.issues[0]?.message;
  return message === undefined ? {} : { folder: message };
}

type Props = { serverId: string; onSearch: (folder: string) => void };

/** Searches the server again, with one more folder. */
export function SearchOtherFolder({ serverId, onSearch }: Props) {
  const form = useDraftForm({ name: `other-folder ${serverId}`, initial: blank, validate: checkFolder });
  const search = form.submit(({ folder }) => onSearch(wpPath.parse(folder.trim())));
  return (
    <Disclosure name={'Un site manque\u202f? Chercher dans un autre dossier'}>
      <form
        noValidate
        onSubmit={(event) => {
          // Keeps the event from the import form around it.
          event.stopPropagation();
          search(event);
        }}
      >
        <Group align="flex-end" gap={8}>
          <TextInput
            flex="1 1 240px"
            label="Chercher aussi dans"
            placeholder="/data/sites"
            spellCheck={false}
            {...form.field('folder')}
          />
          <Button type="submit" variant="default">
            Chercher
          </Button>
        </Group>
      </form>
    </Disclosure>
  );
}
