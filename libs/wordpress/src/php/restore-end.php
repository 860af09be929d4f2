<?php
/** The end of a restore: keeps the new state or returns to the old one. May run again after an interruption. */
final class VigieRestoreEnd
{
    private $site;
    private $link = null;

    public function __construct(VigieSite $site)
    {
        $this->site = $site;
    }

    /** One connection per operation, with its server-side lock. */
    public function link(string $operation): VigieLink
    {
        if ($this->link === null) {
            $this->link = new VigieLink();
        }
        $this->link->hold(VigieTableSwap::lockOf($operation));
        return $this->link;
    }

    /** Closes the site during the swap. If that fails, visitors may see a mix for a moment. */
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

    /** `$last`: reported before the state is deleted. */
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

    /** Undoes an interrupted restore, or completes one that was kept. `$isTold`: the caller named this one. */
    public function finish(string $operation, bool $isTold): void
    {
        $swap = VigieSwap::find($this->site, $operation);
        $stray = $isTold && $swap === null ? VigieSwap::placeOf($this->site, $operation) : null;
        if ($stray !== null) {
            // The site has moved or changed its prefix since: nothing can be undone from here.
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
            // The safety copy belongs to a restore that did not happen.
            $safety = (string) $swap->facts['safety'];
            $hadBegun || $safety === '' || @unlink("$folder/" . basename($safety));
        }
        @unlink("$folder/.vigie-$operation.part");
        if ($isTold) {
            VigieTell::line(['is' => 'back', 'touched' => $hadBegun]);
        }
        // This deletes the state of the restore.
        $swap === null || $swap->clear(true);
    }
}
