<?php
/** Runs the parts of a restore on the given order and prints the outcome. */
$order = json_decode(file_get_contents($argv[1]), true);
function outcome(callable $work): array {
    try {
        return $work();
    } catch (VigieStop $stop) {
        return $stop->facts;
    }
}
$verify = static function (array $one): array {
    $archive = VigieReadArchive::open($one['path'], $one['isCaseless'] ?? false);
    $archive->verify(static function (int $bytes) { }, $one['most'] ?? VigieArchivePaths::MOST);
    return ['by' => $archive->by, 'entries' => $archive->entries, 'version' => $archive->version,
        'database' => $archive->database['path'] ?? null, 'isNetwork' => $archive->isNetwork, 'about' => $archive->about];
};
$unpack = static function (array $order, VigieStaging $staging, array &$told): array {
    $archive = VigieReadArchive::open($order['archive']);
    $archive->verify(static function (int $bytes) { });
    $wants = static function (string $path) use ($order): bool {
        return preg_match($order['wants'] ?? '~~', $path) === 1;
    };
    $told['planned'] = $staging->needed($archive, $wants);
    empty($order['isBlind']) && VigieRoom::check($told['planned']);
    foreach ($staging->take($archive, $wants) as $bytes) {
        $told['last'] = $bytes;
    }
    isset($order['append']) && file_put_contents($order['archive'], $order['append'], FILE_APPEND);
    return ['isUnchanged' => $archive->isUnchanged()];
};
/** A case-insensitive disk with two files. */
final class FoldingDisk
{
    public $context;
    private $names = ['index.php', 'Logo.png'];

    public function dir_opendir(): bool
    {
        return true;
    }

    public function dir_readdir()
    {
        return array_shift($this->names) ?? false;
    }

    public function url_stat(string $path)
    {
        $isThere = in_array(strtolower(basename($path)), ['index.php', 'logo.png'], true);
        return $isThere ? ['dev' => 1, 'ino' => 1, 'mode' => 0100644] : false;
    }
}
if (isset($order['folders'])) {
    stream_wrapper_register('folding', FoldingDisk::class);
    $said = array_map([VigieStaging::class, 'foldsCase'], $order['folders']);
} elseif (isset($order['verify'])) {
    $said = array_map(static function ($one) use ($verify) {
        return outcome(static function () use ($verify, $one) { return $verify($one); });
    }, $order['verify']);
} else {
    isset($order['fileMode']) && define('FS_CHMOD_FILE', $order['fileMode']);
    $place = new VigieSite();
    foreach ($order['site'] as $name => $value) {
        $place->$name = $value;
    }
    $staging = new VigieStaging($place, $order['operation']);
    $told = [];
    $said = outcome(static function () use ($unpack, $order, $staging, &$told) { return $unpack($order, $staging, $told); });
    $said += ['areas' => $staging->areas, 'skipped' => $staging->skipped, 'memory' => memory_get_peak_usage(true)];
    $said += $told + ['planned' => [], 'last' => 0];
}
echo json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES), "\n";
