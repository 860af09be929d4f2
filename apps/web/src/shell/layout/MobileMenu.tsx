import { NavList } from './Sidebar';
import { closeOverlay } from './overlays';
import { Sheet } from './Sheet';

/** Replaces the sidebar under 768 px. */
export const MobileMenu = () => (
  <Sheet title="Menu" size="min(540px, 88dvh)" onClose={closeOverlay}>
    <nav aria-label="Menu principal">
      <NavList onChoose={closeOverlay} />
    </nav>
  </Sheet>
);
