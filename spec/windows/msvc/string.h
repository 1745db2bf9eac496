/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_STRING_H
#define WEND_STUB_STRING_H
#include <stddef.h>
void *__cdecl memchr(const void *block, int byte, size_t size);
int __cdecl memcmp(const void *a, const void *b, size_t size);
void *__cdecl memcpy(void *to, const void *from, size_t size);
void *__cdecl memmove(void *to, const void *from, size_t size);
void *__cdecl memset(void *block, int byte, size_t size);
char *__cdecl strchr(const char *text, int c);
int __cdecl strcmp(const char *a, const char *b);
char *__cdecl strerror(int number);
size_t __cdecl strlen(const char *text);
int __cdecl strncmp(const char *a, const char *b, size_t size);
char *__cdecl strrchr(const char *text, int c);
char *__cdecl strstr(const char *text, const char *part);
#endif
