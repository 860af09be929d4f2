<?php
/** The end of a restore: the site is kept as it has become, or comes back as it was. Whoever comes next can do it. */
final class VigieRestoreEnd
{
    private $site;
    private $link = null;

    public function __construct(VigieSite $site)
    {
        $this->site = $site;
    }

    /** One for all that is done to the tables of an operation, and nobody else's meanwhile. */
    public function link(string $operation): VigieLink
    {
        if ($this->link === null) {
            $this->link = new VigieLink();
        }
        $this->link->hold(VigieTableSwap::lockOf($operation));
        return $this->link;
    }

    /** Visitors wait meanwhile. A site that may not be closed is not: they may see both sides of it for a moment. */
    public function close(VigieSwap $swap): void
    {
        if (!VigieMaintenance::isClosedForGood($this->site->root)) {
            $swap->facts['closed'] = true;
            $swap->keepFacts();
            VigieMaintenance::close($this->site->root);
            $this->stayClosed($swap);
        }
    }

    private function stayClosed(VigieSwap $swap): void
    {
        $swap->onMove = function () use ($swap): void {
            empty($swap->facts['closed']) || VigieMaintenance::renew($this->site->root);
        };
        ($swap->onMove)();
    }

    private function open(VigieSwap $swap): void
    {
        if (!empty($swap->facts['closed'])) {
            @unlink($this->site->root . VigieMaintenance::NAME);
        }
    }

    public function found(string $operation): VigieSwap
    {
        $swap = VigieSwap::find($this->site, $operation);
        if ($swap === null) {
            throw new VigieStop('died', '', ['words' => 'what was exchanged is not known any more']);
        }
        return $swap;
    }

    /** `$last`: what is told before nobody can know of it any more. */
    public function keep(VigieSwap $swap, string $operation, ?array $last): void
    {
        VigieTell::step('end');
        $swap->markKept();
        $this->stayClosed($swap);
        $link = $this->link($operation);
        ['tables' => $tables, 'note' => $note, 'views' => $views] = $swap->facts;
        $exchanged = new VigieTableSwap($link, $operation, $tables);
        foreach ($exchanged->complete($this->site->prefix, $note, $views) as $one) {
            VigieTell::line(['is' => 'warning', 'code' => 'definition'] + $one);
        }
        $this->open($swap);
        $last === null || VigieTell::line($last);
        $left = $swap->clear(false);
        $left === [] || VigieTell::line(['is' => 'warning', 'code' => 'left', 'list' => $left]);
    }

    /**
     * Brings it to an end: as the site was, unless it was certain that it is to be as it is now. `$isTold`: whoever asks for
     * it knows that it is one of this site.
     */
    public function finish(string $operation, bool $isTold): void
    {
        $swap = VigieSwap::find($this->site, $operation);
        $stray = $isTold && $swap === null ? VigieSwap::placeOf($this->site, $operation) : null;
        if ($stray !== null) {
            // The site has another place or prefix than when it began: what it did cannot be undone from here.
            throw new VigieStop('died', '', ['path' => $stray, 'words' => 'it is of another place or prefix']);
        }
        if ($swap !== null && $swap->isKept()) {
            $this->keep($swap, $operation, $isTold ? ['is' => 'done'] : null);
            return;
        }
        $hadBegun = $swap !== null && $swap->facts['began'];
        $folder = $this->site->content . '/' . VigieFolder::NAME;
        if ($hadBegun && $isTold) {
            VigieTell::step('back');
        }
        if ($swap !== null) {
            $tables = new VigieTableSwap($this->link($operation), $operation, $swap->facts['tables']);
            $this->stayClosed($swap);
            $swap->undo($tables);
            $this->open($swap);
            $tables->drop();
            // It was made for what has not come to pass.
            $safety = (string) $swap->facts['safety'];
            $hadBegun || $safety === '' || @unlink("$folder/" . basename($safety));
        }
        @unlink("$folder/.vigie-$operation.part");
        if ($isTold) {
            VigieTell::line(['is' => 'back', 'touched' => $hadBegun]);
        }
        // With it goes what is known of all the rest.
        $swap === null || $swap->clear(true);
    }
}
