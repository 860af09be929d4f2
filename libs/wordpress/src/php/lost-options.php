<?php
/** Fills in options that the site's database has lost, from the archive to restore. */
final class VigieLostOptions
{
    /** The archive's address, if the site has lost its own; otherwise null. */
    public $taken = null;
    private $known;
    private $about;

    /** `$known`: the options that the site still has. */
    public function __construct(array $known, array $about)
    {
        $this->known = $known;
        $this->about = $about;
    }

    /** `$root`: the folder of the site; `$url`: its address in Vigie. */
    public function filled(string $root, string $url): array
    {
        $addresses = $this->addresses(rtrim($url, '/'));
        $options = $this->known + $addresses + ($this->isSameSite() ? $this->uploads($root) : []);
        if (!isset($this->known['siteurl']) && !isset($this->known['home'])) {
            $this->taken = $options['home'];
        }
        return $options;
    }

    /** A remaining address counts more than another site's archive; the archive counts more than Vigie's record. */
    private function addresses(string $url): array
    {
        $left = $this->known['home'] ?? $this->known['siteurl'] ?? null;
        if ($left !== null && !$this->isSameSite()) {
            return ['siteurl' => $left, 'home' => $left];
        }
        $home = $this->archived('home');
        $siteUrl = $this->archived('siteurl');
        return ['siteurl' => $siteUrl ?: $home ?: $url, 'home' => $home ?: $siteUrl ?: $url];
    }

    private function archived(string $option): string
    {
        [$inner, $outer] = $option === 'home' ? ['InternalHomeURL', 'HomeURL'] : ['InternalSiteURL', 'SiteURL'];
        return VigieMoves::text($this->about, $inner) ?: VigieMoves::text($this->about, $outer);
    }

    /** Whether no remaining address contradicts the archive. */
    private function isSameSite(): bool
    {
        foreach (['siteurl', 'home'] as $option) {
            if (isset($this->known[$option]) && rtrim($this->known[$option], '/') !== $this->archived($option)) {
                return false;
            }
        }
        return true;
    }

    /** A folder below another root may not exist here. */
    private function uploads(string $root): array
    {
        $words = is_array($this->about['WordPress'] ?? null) ? $this->about['WordPress'] : [];
        $named = ['upload_url_path' => 'UploadsURL'];
        $named += VigieMoves::text($words, 'Absolute') === $root ? ['upload_path' => 'Uploads'] : [];
        return array_filter(array_map(function (string $key): string {
            return VigieMoves::text($this->about, $key);
        }, $named));
    }
}
