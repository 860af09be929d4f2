<?php
/** The updates that WordPress knows of. */
final class VigieOffers
{
    /** Requires the confirmed version; asks WordPress.org once more if it is not offered. */
    public static function require(VigieItem $item, ?string $to): void
    {
        $offered = self::findOffer($item);
        if ($offered === null || ($to !== null && $offered !== $to)) {
            if ($to !== null && $item->version !== null && version_compare($item->version, $to, '>=')) {
                throw new VigieStop('nothing_to_do');
            }
            if (!VigieOperation::$skipsPlugins) {
                VigieOperation::reportStep('refresh');
                self::checkUpdates($item->kind);
                $offered = self::findOffer($item);
            }
        }
        if ($offered === null) {
            throw new VigieStop('refused_by_wordpress', 'no_offer');
        }
        if ($to !== null && $offered !== $to) {
            throw new VigieStop('refused_by_wordpress', 'other_offer', ['words' => $offered]);
        }
    }

    private static function findOffer(VigieItem $item): ?string
    {
        if ($item->kind === 'core') {
            $offer = self::coreOffer(VigieOperation::$order['to']);
            return $offer === null ? null : (string) $offer->current;
        }
        $transient = get_site_transient("update_{$item->kind}s");
        $offers = is_object($transient) && isset($transient->response) ? (array) $transient->response : [];
        $names = $item->kind === 'theme' ? [$item->slug] : $item->files;
        foreach ($names as $name) {
            $version = ((array) ($offers[$name] ?? []))['new_version'] ?? null;
            if (is_scalar($version) && version_compare((string) $version, (string) $item->version, '>')) {
                // Of several plugins in a folder, the one with an offer is updated.
                $item->files = $item->kind === 'plugin' ? array_merge([$name], array_diff($item->files, [$name])) : [];
                return (string) $version;
            }
        }
        return null;
    }

    /** The offer in the site's language, or in any. */
    public static function coreOffer(?string $to): ?object
    {
        $transient = get_site_transient('update_core');
        $found = null;
        foreach (is_object($transient) && isset($transient->updates) ? (array) $transient->updates : [] as $offer) {
            $offer = (object) $offer;
            $isWanted = isset($offer->current) && ($to === null || $offer->current === $to);
            $isNewer = $isWanted && version_compare($offer->current, $GLOBALS['wp_version'], '>');
            if ($isNewer && ($found === null || ($offer->locale ?? '') === get_locale())) {
                $found = find_core_update($offer->current, $offer->locale ?? 'en_US') ?: $found;
            }
        }
        return $found ?: null;
    }

    /** Sets back the time of the last check: WordPress would skip a new one, and a failed check must lose nothing. */
    public static function checkUpdates(string $kind): void
    {
        $name = $kind === 'core' ? 'update_core' : "update_{$kind}s";
        $forceCheck = static function ($value) {
            if (is_object($value)) {
                $value = clone $value;
                $value->last_checked = 0;
            }
            return $value;
        };
        add_filter("site_transient_$name", $forceCheck, PHP_INT_MAX);
        if ($kind === 'core') {
            wp_version_check([], true);
        } else {
            call_user_func("wp_update_{$kind}s");
        }
        remove_filter("site_transient_$name", $forceCheck, PHP_INT_MAX);
    }
}
