#include "tools/cli/code_listing.h"
