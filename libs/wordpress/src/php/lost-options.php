<?php
/** Fills in options that the site's database has lost, from the archive to restore. */
final class VigieLostOptions
{
    /** The archive's address, if the site has lost its own; otherwise null. */
    public $takenAddress = null;
    private $remaining;
    private $about;

    /** `$remaining`: the options that the site still has. */
    public function __construct(array $remaining, array $about)
    {
        $this->remaining = $remaining;
        $this->about = $about;
    }

    /** `$root`: the folder of the site; `$url`: its address in Vigie. */
    public function fill(string $root, string $url): array
    {
        $addresses = $this->addresses(rtrim($url, '/'));
        $options = $this->remaining + $addresses + ($this->isSameSite() ? $this->uploads($root) : []);
        if (!isset($this->remaining['siteurl']) && !isset($this->remaining['home'])) {
            $this->takenAddress = $options['home'];
        }
        return $options;
    }

    /** A remaining address counts more than another site's archive; the archive counts more than Vigie's record. */
    private function addresses(string $url): array
    {
        $address = $this->remaining['home'] ?? $this->remaining['siteurl'] ?? null;
        if ($address !== null && !$this->isSameSite()) {
            return ['siteurl' => $address, 'home' => $address];
        }
        $home = $this->archivedAddress('home');
        $siteUrl = $this->archivedAddress('siteurl');
        return ['siteurl' => $siteUrl ?: $home ?: $url, 'home' => $home ?: $siteUrl ?: $url];
    }

    private function archivedAddress(string $option): string
    {
        [$inner, $outer] = $option === 'home' ? ['InternalHomeURL', 'HomeURL'] : ['InternalSiteURL', 'SiteURL'];
        return VigieReplacements::stringOf($this->about, $inner) ?: VigieReplacements::stringOf($this->about, $outer);
    }

    /** Whether no remaining address contradicts the archive. */
    private function isSameSite(): bool
    {
        foreach (['siteurl', 'home'] as $option) {
            if (isset($this->remaining[$option]) && rtrim($this->remaining[$option], '/') !== $this->archivedAddress($option)) {
                return false;
            }
        }
        return true;
    }

    /** A folder below another root may not exist here. */
    private function uploads(string $root): array
    {
        $wordPress = is_array($this->about['WordPress'] ?? null) ? $this->about['WordPress'] : [];
        $keys = ['upload_url_path' => 'UploadsURL'];
        $keys += VigieReplacements::stringOf($wordPress, 'Absolute') === $root ? ['upload_path' => 'Uploads'] : [];
        return array_filter(array_map(function (string $key): string {
            return VigieReplacements::stringOf($this->about, $key);
        }, $keys));
    }
}
