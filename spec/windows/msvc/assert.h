/* SPDX-License-Identifier: MIT */
#undef assert
#ifdef NDEBUG
#define assert(x) ((void)0)
#else
void __cdecl _assert(const char *what, const char *file, unsigned line);
#define assert(x) ((void)(!!(x) || (_assert(#x, __FILE__, __LINE__), 0)))
#endif
