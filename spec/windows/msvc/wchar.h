/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_WCHAR_H
#define WEND_STUB_WCHAR_H
#include <stddef.h>
size_t __cdecl wcslen(const wchar_t *text);
int __cdecl wcsncmp(const wchar_t *a, const wchar_t *b, size_t size);
#endif
