import {
  createChannel,
  deleteChannel,
  editChannel,
  listChannels,
  listDeliveries,
  resendDelivery,
  testChannel,
} from '@vigie/contracts/channels';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';

export const channelsApi = api.injectEndpoints({
  endpoints: (build) => ({
    channels: build.query(queryOf(listChannels)),
    createChannel: build.mutation(creationOf(createChannel, 'Le canal n’a pas pu être ajouté.')),
    editChannel: build.mutation(mutationOf(editChannel, 'Le canal n’a pas pu être modifié.')),
    deleteChannel: build.mutation(mutationOf(deleteChannel, 'Le canal n’a pas pu être supprimé.')),
    testChannel: build.mutation(mutationOf(testChannel, 'Le message de test n’a pas pu être envoyé.')),
    deliveries: build.query(queryOf(listDeliveries)),
    resendDelivery: build.mutation(creationOf(resendDelivery, 'Le message n’a pas pu être renvoyé.')),
  }),
});
