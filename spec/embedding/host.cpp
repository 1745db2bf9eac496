/* SPDX-License-Identifier: MIT */
/* The same host in C++. */
#include "host.c"
