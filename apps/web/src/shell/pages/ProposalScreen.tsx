import { ProposalPage } from '../../features/proposals/ProposalPage';
import { NotFound } from '../layout/ScreenError';

export const ProposalScreen = ({ id }: { id: string }) => <ProposalPage id={id} missing={<NotFound />} />;
