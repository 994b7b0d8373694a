#include "lab/svg.h"
