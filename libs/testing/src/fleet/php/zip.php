<?php
// Zips a folder: `php -- folder name file`; in the zip it has the name.
[, $folder, $name, $file] = $argv;
$zip = new ZipArchive();
$zip->open($file, ZipArchive::CREATE | ZipArchive::OVERWRITE) || exit(1);
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS));
foreach ($files as $path => $entry) {
    $zip->addFile($path, $name . substr($path, strlen($folder)));
}
$zip->close() || exit(1);
