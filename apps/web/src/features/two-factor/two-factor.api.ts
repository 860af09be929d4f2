import {
  disableTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  type TwoFactorSetup,
  type TwoFactorStatus,
  type VerifyTwoFactor,
  verifyTwoFactor,
} from '@vigie/contracts/two-factor';
import type { z } from 'zod';
import { api } from '../../app/api';

type Password = { password: string };

export const twoFactorApi = api.enhanceEndpoints({ addTagTypes: ['two-factor'] }).injectEndpoints({
  endpoints: (build) => ({
    readTwoFactor: build.query<TwoFactorStatus, void>({
      query: () => ({ path: '/auth/2fa/status', output: readTwoFactor.output }),
      providesTags: ['two-factor'],
    }),
    setUpTwoFactor: build.mutation<TwoFactorSetup, void>({
      query: () => ({ path: '/auth/2fa/setup', method: 'POST', body: {}, output: setUpTwoFactor.output }),
    }),
    verifyTwoFactor: build.mutation<{ message: string }, z.infer<typeof VerifyTwoFactor>>({
      query: (body) => ({ path: '/auth/2fa/verify', method: 'POST', body, output: verifyTwoFactor.output }),
      invalidatesTags: (result) => (result ? ['two-factor'] : []),
    }),
    disableTwoFactor: build.mutation<{ message: string }, Password>({
      query: (body) => ({ path: '/auth/2fa/disable', method: 'POST', body, output: disableTwoFactor.output }),
      invalidatesTags: (result) => (result ? ['two-factor'] : []),
    }),
    renewBackupCodes: build.mutation<{ backup_codes: string[] }, Password>({
      query: (body) => ({ path: '/auth/2fa/backup_codes', method: 'POST', body, output: renewRecoveryCodes.output }),
      invalidatesTags: (result) => (result ? ['two-factor'] : []),
    }),
  }),
});
