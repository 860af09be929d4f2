<?php
VigiePack::run();
