<?php
error_reporting(0);
$vigie_input = VigieAnswer::readInput();
VigieFiles::startTimeLimit();
$vigie_repairs = new VigieRepairs((string) getcwd(), $vigie_input['content'] ?? null);
VigieAnswer::send(['is' => 'repairs'] + $vigie_repairs->check($vigie_input['asked'] ?? []));
