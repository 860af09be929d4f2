import { listMails, readNotifications, saveNotifications, testNotifications } from '@vigie/contracts/notifications';
import { saveAppSettings } from '@vigie/contracts/settings';
import { api } from '../../kit/query/api';
import { mutationOf, queryOf } from '../../kit/query/endpoints';

const saveFailed = "Échec de l'enregistrement.";

export const notificationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    notifications: build.query(queryOf(readNotifications)),
    saveKey: build.mutation(mutationOf(saveNotifications, saveFailed)),
    /** The sender belongs to the application settings: the settings screen edits the same value. */
    saveSender: build.mutation(mutationOf(saveAppSettings, saveFailed)),
    testNotifications: build.mutation(mutationOf(testNotifications, "Échec de l'envoi de l'email de test.")),
    mails: build.query(queryOf(listMails)),
  }),
});
