/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_MALLOC_H
#define WEND_STUB_MALLOC_H
#include <stddef.h>
void __cdecl _aligned_free(void *block);
void *__cdecl _aligned_malloc(size_t size, size_t alignment);
#endif
