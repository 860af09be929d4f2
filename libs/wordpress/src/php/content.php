<?php
// If the configuration exits, nothing is answered.
VigieTell::hush();
$vigie = VigieSay::open();
try {
    $vigie_site = VigieSite::configured(['site' => $vigie]);
    $vigie_usual = $vigie_site->content === "$vigie_site->root/wp-content";
    VigieSay::line(['is' => 'content', 'path' => $vigie_usual ? null : $vigie_site->content]);
} catch (VigieStop $vigie_stop) {
    exit(11);
}
