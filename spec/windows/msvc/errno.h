/* SPDX-License-Identifier: MIT */
#ifndef WEND_STUB_ERRNO_H
#define WEND_STUB_ERRNO_H
int *__cdecl _errno(void);
#define errno (*_errno())
#define ENOENT 2
#define EACCES 13
#define ENAMETOOLONG 38
#endif
