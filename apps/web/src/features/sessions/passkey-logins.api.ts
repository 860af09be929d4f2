import { loginWithPasskey, offerPasskeyLogin } from '@vigie/contracts/passkey-logins';
import { api } from '../../kit/query/api';
import { mutationOf } from '../../kit/query/endpoints';

/** Apart from the other calls of sessions, which come with the first screen. */
export const passkeyLoginsApi = api.injectEndpoints({
  endpoints: (build) => ({
    offerPasskeyLogin: build.mutation(mutationOf(offerPasskeyLogin)),
    loginWithPasskey: build.mutation(mutationOf(loginWithPasskey)),
  }),
});
