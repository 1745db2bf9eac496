/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_STDIO_H
#define WEND_STUB_STDIO_H
#include <stddef.h>
typedef struct _iobuf {
  void *_Placeholder;
} FILE;
#define BUFSIZ 512
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int __cdecl fclose(FILE *file);
int __cdecl ferror(FILE *file);
size_t __cdecl fread(void *into, size_t size, size_t count, FILE *file);
size_t __cdecl fwrite(const void *from, size_t size, size_t count, FILE *file);
int __cdecl snprintf(char *into, size_t size, const char *format, ...);
FILE *__cdecl _wfopen(const wchar_t *name, const wchar_t *mode);
int __cdecl _wremove(const wchar_t *name);
#endif
