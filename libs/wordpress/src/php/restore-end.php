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
    public function connection(string $operation): VigieConnection
    {
        if ($this->link === null) {
            $this->link = new VigieConnection();
        }
        $this->link->lock(VigieTableSwap::lockName($operation));
        return $this->link;
    }

    /** Closes the site during the swap. If that fails, visitors may see a mix for a moment. */
    public function closeSite(VigieSwap $swap): void
    {
        if (!VigieMaintenance::isClosedForGood($this->site->root)) {
            $swap->state['closed'] = true;
            $swap->saveState();
            VigieMaintenance::close($this->site->root);
            $this->keepClosed($swap);
        }
    }

    private function keepClosed(VigieSwap $swap): void
    {
        $swap->onMove = function () use ($swap): void {
            empty($swap->state['closed']) || VigieMaintenance::renew($this->site->root);
        };
        ($swap->onMove)();
    }

    private function openSite(VigieSwap $swap): void
    {
        if (!empty($swap->state['closed'])) {
            @unlink($this->site->root . VigieMaintenance::NAME);
        }
    }

    public function findSwap(string $operation): VigieSwap
    {
        $swap = VigieSwap::find($this->site, $operation);
        if ($swap === null) {
            throw new VigieStop('died', '', ['words' => 'the state of the restore is missing']);
        }
        return $swap;
    }

    /** `$last`: reported before the state is deleted. */
    public function keep(VigieSwap $swap, string $operation, ?array $last): void
    {
        VigieOperation::reportStep('end');
        $swap->markKept();
        $this->keepClosed($swap);
        $link = $this->connection($operation);
        ['tables' => $tables, 'note' => $note, 'views' => $views] = $swap->state;
        $tableSwap = new VigieTableSwap($link, $operation, $tables);
        foreach ($tableSwap->complete($this->site->prefix, $note, $views) as $failure) {
            VigieOperation::report(['is' => 'warning', 'code' => 'definition'] + $failure);
        }
        $this->openSite($swap);
        $last === null || VigieOperation::report($last);
        $undeleted = $swap->deleteStaged(false);
        $undeleted === [] || VigieOperation::report(['is' => 'warning', 'code' => 'left', 'list' => $undeleted]);
    }

    /** Undoes an interrupted restore, or completes one that was kept. `$isRequested`: the caller named it. */
    public function finish(string $operation, bool $isRequested): void
    {
        $swap = VigieSwap::find($this->site, $operation);
        $foreignState = $isRequested && $swap === null ? VigieSwap::stateFolderOf($this->site, $operation) : null;
        if ($foreignState !== null) {
            // The site has moved or changed its prefix since: nothing can be undone from here.
            throw new VigieStop('died', '', ['path' => $foreignState, 'words' => 'the site has another folder or prefix since']);
        }
        if ($swap !== null && $swap->isKept()) {
            $this->keep($swap, $operation, $isRequested ? ['is' => 'done'] : null);
            return;
        }
        $hadBegun = $swap !== null && $swap->state['began'];
        $folder = $this->site->content . '/' . VigieBackupsFolder::NAME;
        if ($hadBegun && $isRequested) {
            VigieOperation::reportStep('back');
        }
        if ($swap !== null) {
            $tables = new VigieTableSwap($this->connection($operation), $operation, $swap->state['tables']);
            $this->keepClosed($swap);
            $swap->undo($tables);
            $this->openSite($swap);
            $tables->drop();
            // The safety copy belongs to a restore that did not happen.
            $safety = (string) $swap->state['safety'];
            $hadBegun || $safety === '' || @unlink("$folder/" . basename($safety));
        }
        @unlink("$folder/.vigie-$operation.part");
        if ($isRequested) {
            VigieOperation::report(['is' => 'back', 'touched' => $hadBegun]);
        }
        // This deletes the state of the restore.
        $swap === null || $swap->deleteStaged(true);
    }
}
