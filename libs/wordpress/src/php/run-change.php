<?php
VigieParts::run();
