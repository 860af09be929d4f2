<?php
error_reporting(0);
$vigie_input = VigieAnswer::readInput();
VigieFiles::startTimeLimit();
$vigie_root = (string) getcwd();
$vigie_places = VigieLogs::places($vigie_root, $vigie_input['content'] ?? null);
$vigie_from_start = array_map(static function (array $log) {
    return ['size' => 0, 'inode' => 0] + $log;
}, $vigie_places);
VigieAnswer::send([
    'is' => 'logs',
    'root' => $vigie_root,
    'places' => $vigie_places,
    'fatals' => VigieLogs::fatalsSince($vigie_input['since'] ?? $vigie_from_start, $vigie_root),
]);
