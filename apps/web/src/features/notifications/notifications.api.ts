import { listMails, readNotifications, saveNotifications, testNotifications } from '@vigie/contracts/notifications';
import { saveAppSettings } from '@vigie/contracts/settings';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

export const notificationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    notifications: build.query(queryOf(readNotifications)),
    saveKey: build.mutation(mutationOf(saveNotifications, "Échec de l'enregistrement.")),
    /** The sender belongs to the application settings: the settings screen edits the same value. */
    saveSender: build.mutation(mutationOf(saveAppSettings)),
    testNotifications: build.mutation(mutationOf(testNotifications)),
    mails: build.query(queryOf(listMails)),
  }),
});
