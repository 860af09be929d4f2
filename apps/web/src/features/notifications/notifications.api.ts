import {
  listMails,
  type Mail,
  NotificationSettings,
  type SaveNotifications,
  type TestNotifications,
  testNotifications,
} from '@vigie/contracts/notifications';
import { AppSettings } from '@vigie/contracts/settings';
import { api } from '../../app/api';

export const notificationsApi = api.enhanceEndpoints({ addTagTypes: ['notifications'] }).injectEndpoints({
  endpoints: (build) => ({
    notifications: build.query<NotificationSettings, void>({
      query: () => ({ path: '/settings/notifications', output: NotificationSettings }),
      providesTags: ['notifications'],
    }),
    saveKey: build.mutation<NotificationSettings, SaveNotifications>({
      query: (body) => ({ path: '/settings/notifications', method: 'POST', body, output: NotificationSettings }),
      invalidatesTags: ['notifications'],
    }),
    /** The sender belongs to the application settings: the settings screen edits the same value. */
    saveSender: build.mutation<AppSettings, string>({
      query: (sender) => ({
        path: '/settings/app',
        method: 'POST',
        body: { default_sender_email: sender },
        output: AppSettings,
      }),
      invalidatesTags: ['notifications'],
    }),
    testNotifications: build.mutation<{ message: string }, TestNotifications>({
      query: (body) => ({
        path: '/settings/notifications/test',
        method: 'POST',
        body,
        output: testNotifications.output,
      }),
    }),
    mails: build.query<{ items: Mail[] }, void>({
      query: () => ({ path: '/settings/notifications/mails', output: listMails.output }),
    }),
  }),
});
