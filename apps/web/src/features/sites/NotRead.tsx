import { FileSearch } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState';
import { SectionCard } from '../../ui/SectionCard';

/** Takes the place of the plugins and themes of a site that was never read. */
export const NotRead = () => (
  <SectionCard title="Plugins et thèmes">
    <EmptyState icon={FileSearch} title="Ce site n’a pas encore été lu.">
      <p>Testez la connexion ou actualisez pour connaître sa version, ses plugins et ses thèmes.</p>
    </EmptyState>
  </SectionCard>
);
