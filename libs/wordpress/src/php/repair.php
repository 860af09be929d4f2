<?php
error_reporting(0);
$vigie = VigieSay::open();
VigieFiles::begin();
$vigie_repairs = new VigieRepairs((string) getcwd(), $vigie['content'] ?? null);
VigieSay::line(['is' => 'repaired'] + $vigie_repairs->apply($vigie['repair']));
