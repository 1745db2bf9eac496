/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_IO_H
#define WEND_STUB_IO_H
#include <stdint.h>
struct _wfinddata_t {
  unsigned attrib;
  int64_t time_create, time_access, time_write;
  uint32_t size;
  wchar_t name[260];
};
intptr_t __cdecl _wfindfirst(const wchar_t *name, struct _wfinddata_t *entry);
int __cdecl _wfindnext(intptr_t folder, struct _wfinddata_t *entry);
int __cdecl _findclose(intptr_t folder);
#endif
