/* SPDX-License-Identifier: MIT */
/* The name that wend's sources include, for the header of Defold's SDK, which is C. */
#ifdef __cplusplus
extern "C" {
#endif
#include <dmsdk/lua/@name@.h>
#ifdef __cplusplus
}
#endif
