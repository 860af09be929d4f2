import {
  listMails,
  type NotificationSettings,
  readNotifications,
  saveNotifications,
  testNotifications,
} from '@vigie/contracts/notifications';
import { saveAppSettings } from '@vigie/contracts/settings';
import { api } from '../../kit/query/api';
import { mutationOf, onSuccess, queryOf } from '../../kit/query/endpoints';

const saveFailed = "Échec de l'enregistrement.";

export const notificationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    notifications: build.query(queryOf(readNotifications)),
    saveKey: build.mutation(mutationOf(saveNotifications, saveFailed)),
    /** The sender belongs to the application settings: the settings screen edits the same value. */
    saveSender: build.mutation({
      ...mutationOf(saveAppSettings, saveFailed),
      onQueryStarted: (_, cycle) =>
        onSuccess(cycle, ({ default_sender_email: sender = null }) => {
          const show = (settings: NotificationSettings) => void (settings.default_sender_email = sender);
          cycle.dispatch(notificationsApi.util.updateQueryData('notifications', undefined, show));
        }),
    }),
    testNotifications: build.mutation(mutationOf(testNotifications, "Échec de l'envoi de l'email de test.")),
    mails: build.query(queryOf(listMails)),
  }),
});
