<?php
error_reporting(0);
$vigie = VigieSay::open();
VigieFiles::begin();
$vigie_repairs = new VigieRepairs((string) getcwd(), $vigie['content'] ?? null);
VigieSay::line(['is' => 'repairs'] + $vigie_repairs->look($vigie['asked'] ?? []));
