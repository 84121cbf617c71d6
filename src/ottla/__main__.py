"""`python -m ottla`: the command line where the script `ottla` is not on the path."""

import sys

from ottla.cli.main import main

sys.exit(main())
