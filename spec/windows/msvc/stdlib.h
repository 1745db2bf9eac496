/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_STDLIB_H
#define WEND_STUB_STDLIB_H
#include <stddef.h>
void *__cdecl calloc(size_t count, size_t size);
void __cdecl free(void *block);
void *__cdecl malloc(size_t size);
void *__cdecl realloc(void *block, size_t size);
void __cdecl qsort(void *base, size_t count, size_t size, int(__cdecl *compare)(const void *, const void *));
#endif
