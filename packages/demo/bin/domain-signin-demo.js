#!/usr/bin/env node
// Starts the program. Not built, so that npm can link the command before there is a build.

import "../dist/cli.js";
