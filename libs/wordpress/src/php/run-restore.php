<?php
VigieRestoreSite::run();
