<?php
VigieChangeSteps::run();
