<?php
// If the configuration exits, nothing is answered.
VigieOperation::mute();
$vigie_input = VigieAnswer::readInput();
try {
    $vigie_site = VigieSite::fromConfiguration(['site' => $vigie_input]);
    $vigie_is_default = $vigie_site->content === "$vigie_site->root/wp-content";
    VigieAnswer::send(['is' => 'content', 'path' => $vigie_is_default ? null : $vigie_site->content]);
} catch (VigieStop $vigie_stop) {
    exit(11);
}
