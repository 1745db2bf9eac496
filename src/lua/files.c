/* SPDX-License-Identifier: MIT */
/* What Lua lacks for files. lua/wend/disk.lua uses it.
 *
 * On Windows the C library's fopen, and so io.open of Lua, takes a file name in the ANSI code page: most names in other
 * scripts cannot be given. The functions here take names in UTF-8 and names longer than 260 characters. On other systems
 * io.open and the functions of os do.
 *
 * On every system that lists folders, find(folder, suffix) -> the name of the file in a folder whose name ends so, of several
 * the first by bytes; nil: none, or the folder cannot be read. It calls nothing that raises while a folder is open. */
#include "lwend.h"

#include <string.h>

#if defined(_WIN32) || defined(__unix__) || defined(__APPLE__)

enum { FOUND_MAX = 1024 }; /* bytes of a name with its end: of files it has at most 255, on Windows 255 units */

/* Keeps a name in `found` if it ends with the suffix and comes before the one that is there. */
static void keep_name(char *found, const char *name, const char *suffix) {
  size_t bytes = strlen(name), end = strlen(suffix);
  if (bytes < end || bytes >= FOUND_MAX || strcmp(name + bytes - end, suffix) != 0) return;
  if (found[0] == '\0' || strcmp(name, found) < 0) memcpy(found, name, bytes + 1);
}

static int push_file_name(lua_State *L, const char *found) {
  if (found[0] == '\0') return 0;
  lua_pushstring(L, found);
  return 1;
}

#endif

#if defined(_WIN32)

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <wchar.h>

/* <windows.h> defines macros that clash with names here, such as `near` and `far`. This file needs five functions of it. */
__declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned page, unsigned long flags, const char *text, int bytes,
                                                        wchar_t *wide, int units);
__declspec(dllimport) int __stdcall WideCharToMultiByte(unsigned page, unsigned long flags, const wchar_t *wide, int units,
                                                        char *text, int bytes, const char *other, int *used);
__declspec(dllimport) unsigned long __stdcall GetFullPathNameW(const wchar_t *name, unsigned long units, wchar_t *full,
                                                               wchar_t **last);
__declspec(dllimport) int __stdcall MoveFileExW(const wchar_t *from, const wchar_t *to, unsigned long flags);
__declspec(dllimport) unsigned long __stdcall GetLastError(void);

enum {
  ANSI_PAGE = 0,
  UTF8_PAGE = 65001,
  REFUSE_INVALID = 8, /* MB_ERR_INVALID_CHARS */
  REPLACE = 1,        /* MOVEFILE_REPLACE_EXISTING */
  FILE_NOT_FOUND = 2, /* errors of MoveFileExW */
  PATH_NOT_FOUND = 3,
  SHORT_NAME = 248, /* a longer full name needs the prefix \\?\; folders are limited to this, files to 260 */
  NAME_MAX_UNITS = 32767
};

/* An open file. */
typedef struct windows_file {
  FILE *file; /* NULL: closed */
} windows_file;

/* Pushes nil, a message as io.open gives it, and the error number. name: NULL, none. */
static int push_error(lua_State *L, const char *name, int number) {
  lua_pushnil(L);
  if (name != NULL) {
    lua_pushfstring(L, "%s: %s", name, strerror(number));
  } else {
    lua_pushstring(L, strerror(number));
  }
  lua_pushinteger(L, number);
  return 3;
}

/* Pushes the file name at index as a buffer of UTF-16 that ends with a zero, and returns it; NULL: the name is too long.
 * A name that is not UTF-8 is taken as a name in the ANSI code page, as io.open takes it: the arguments of a command are such
 * names. */
static wchar_t *push_wide(lua_State *L, int index) {
  static const wchar_t long_prefix[] = L"\\\\?\\", share_prefix[] = L"\\\\?\\UNC\\";
  size_t bytes, prefix;
  const char *name = luaL_checklstring(L, index, &bytes);
  unsigned page = UTF8_PAGE;
  unsigned long flags = REFUSE_INVALID, full;
  wchar_t *wide, *out;
  int units;
  bool share;
  if (bytes > 3u * NAME_MAX_UNITS) return NULL;
  units = MultiByteToWideChar(page, flags, name, (int)bytes + 1, NULL, 0);
  if (units == 0) {
    page = ANSI_PAGE;
    flags = 0;
    units = MultiByteToWideChar(page, flags, name, (int)bytes + 1, NULL, 0);
  }
  if (units <= 0) return NULL;
  wide = lwend_newuserdata(L, (size_t)units * sizeof *wide);
  MultiByteToWideChar(page, flags, name, (int)bytes + 1, wide, units);
  /* With a zero inside, the name ends there: callers refuse such names before. */
  full = GetFullPathNameW(wide, 0, NULL, NULL); /* with the zero at the end */
  if (full <= SHORT_NAME || wcsncmp(wide, long_prefix, 4) == 0) return wide;
  if (full > NAME_MAX_UNITS) return NULL;
  out = lwend_newuserdata(L, ((size_t)full + 8) * sizeof *out);
  GetFullPathNameW(wide, full, out + 8, NULL);
  /* C:\folder becomes \\?\C:\folder, and \\server\share becomes \\?\UNC\server\share. */
  share = out[8] == L'\\' && out[9] == L'\\';
  prefix = share ? 8 : 4;
  memmove(out + prefix, out + 8 + (share ? 2 : 0), (wcslen(out + 8) + 1 - (share ? 2 : 0)) * sizeof *out);
  memcpy(out, share ? share_prefix : long_prefix, prefix * sizeof *out);
  return out;
}

/* The open file that a method is called on. The first upvalue is the metatable of files. */
static windows_file *check_file(lua_State *L) {
  windows_file *f = lua_touserdata(L, 1);
  bool is_file = f != NULL && lua_getmetatable(L, 1) && lua_rawequal(L, -1, lua_upvalueindex(1));
  if (!is_file) luaL_error(L, "expected an open file");
  lua_pop(L, 1);
  if (f->file == NULL) luaL_error(L, "attempt to use a closed file");
  return f;
}

/* handle:read("*a") -> all that is left of the file; or nil, a message, a number */
static int file_read(lua_State *L) {
  windows_file *f = check_file(L);
  luaL_Buffer buffer;
  size_t got;
  luaL_buffinit(L, &buffer);
  do {
    got = fread(luaL_prepbuffer(&buffer), 1, LUAL_BUFFERSIZE, f->file);
    luaL_addsize(&buffer, got);
  } while (got == LUAL_BUFFERSIZE);
  if (ferror(f->file)) return push_error(L, NULL, errno);
  luaL_pushresult(&buffer);
  return 1;
}

/* handle:write(bytes) -> true; or nil, a message, a number */
static int file_write(lua_State *L) {
  windows_file *f = check_file(L);
  size_t bytes;
  const char *data = luaL_checklstring(L, 2, &bytes);
  if (fwrite(data, 1, bytes, f->file) != bytes) return push_error(L, NULL, errno);
  return lwend_flag(L, true);
}

/* handle:close() -> true; or nil, a message, a number */
static int file_close(lua_State *L) {
  windows_file *f = check_file(L);
  FILE *file = f->file;
  f->file = NULL;
  if (fclose(file) != 0) return push_error(L, NULL, errno);
  return lwend_flag(L, true);
}

static int file_gc(lua_State *L) {
  windows_file *f = lua_touserdata(L, 1);
  if (f == NULL || !lua_getmetatable(L, 1) || !lua_rawequal(L, -1, lua_upvalueindex(1))) return 0;
  if (f->file != NULL) fclose(f->file);
  f->file = NULL;
  return 0;
}

/* open(name, "rb" or "wb") -> handle; or nil, a message, a number */
static int files_open(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const char *mode = luaL_checkstring(L, 2);
  const wchar_t *wide = push_wide(L, 1);
  windows_file *f;
  if (wide == NULL) return push_error(L, name, ENAMETOOLONG);
  f = lwend_newuserdata(L, sizeof *f);
  f->file = NULL;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, -2);
  f->file = _wfopen(wide, mode[0] == 'w' ? L"wb" : L"rb");
  return f->file != NULL ? 1 : push_error(L, name, errno);
}

/* remove(name) -> true; or nil, a message, a number */
static int files_remove(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const wchar_t *wide = push_wide(L, 1);
  if (wide == NULL) return push_error(L, name, ENAMETOOLONG);
  if (_wremove(wide) != 0) return push_error(L, name, errno);
  return lwend_flag(L, true);
}

/* rename(from, to) -> true; or nil, a message, a number. Unlike os.rename on Windows it replaces a file, in one step. */
static int files_rename(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const wchar_t *from = push_wide(L, 1), *to = push_wide(L, 2);
  unsigned long problem;
  if (from == NULL || to == NULL) return push_error(L, name, ENAMETOOLONG);
  if (!MoveFileExW(from, to, REPLACE)) {
    problem = GetLastError();
    return push_error(L, name, problem == FILE_NOT_FOUND || problem == PATH_NOT_FOUND ? ENOENT : EACCES);
  }
  return lwend_flag(L, true);
}

/* find(folder, suffix) -> name, or nothing */
static int files_find(lua_State *L) {
  char found[FOUND_MAX] = "", name[FOUND_MAX];
  const char *suffix = luaL_checkstring(L, 2);
  struct _wfinddata_t entry;
  const wchar_t *wide;
  intptr_t folder;
  lua_pushfstring(L, "%s/*", luaL_checkstring(L, 1));
  wide = push_wide(L, lua_gettop(L));
  folder = wide != NULL ? _wfindfirst(wide, &entry) : -1;
  if (folder == -1) return 0;
  do {
    if (WideCharToMultiByte(UTF8_PAGE, 0, entry.name, -1, name, FOUND_MAX, NULL, NULL) > 0) keep_name(found, name, suffix);
  } while (_wfindnext(folder, &entry) == 0);
  _findclose(folder);
  return push_file_name(L, found);
}

/* Adds open, remove, rename and find; nothing where a host has replaced or removed io.open. A script must not reach these functions:
 * they open any file. */
void lwend_add_files(lua_State *L, lwend_state *state) {
  static const luaL_Reg methods[] = {
      {"read", file_read},
      {"write", file_write},
      {"close", file_close},
      {NULL, NULL},
  };
  static const luaL_Reg functions[] = {
      {"open", files_open}, {"remove", files_remove}, {"rename", files_rename}, {"find", files_find}, {NULL, NULL},
  };
  const int top = lua_gettop(L);
  bool stock = false;
  int metatable;
  (void)state;
  lwend_pushglobal(L, "io");
  if (lua_istable(L, -1)) {
    lwend_getraw(L, top + 1, "open");
    stock = lua_iscfunction(L, -1);
  }
  lua_settop(L, top);
  if (!stock) return;
  lua_newtable(L);
  metatable = lua_gettop(L);
  lua_newtable(L);
  for (const luaL_Reg *method = methods; method->name != NULL; method++) {
    lua_pushvalue(L, metatable);
    lua_pushcclosure(L, method->func, 1);
    lua_setfield(L, -2, method->name);
  }
  lua_setfield(L, metatable, "__index");
  lua_pushvalue(L, metatable);
  lua_pushcclosure(L, file_gc, 1);
  lua_setfield(L, metatable, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, metatable, "__metatable");
  for (const luaL_Reg *function = functions; function->name != NULL; function++) {
    lua_pushvalue(L, metatable);
    lua_pushcclosure(L, function->func, 1);
    lua_setfield(L, top, function->name);
  }
  lua_settop(L, top);
}

#elif defined(__unix__) || defined(__APPLE__)

#include <dirent.h>

/* find(folder, suffix) -> name, or nothing */
static int files_find(lua_State *L) {
  char found[FOUND_MAX] = "";
  const char *name = luaL_checkstring(L, 1), *suffix = luaL_checkstring(L, 2);
  DIR *folder = opendir(name);
  if (folder == NULL) return 0;
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) keep_name(found, entry->d_name, suffix);
  closedir(folder);
  return push_file_name(L, found);
}

/* Adds find. */
void lwend_add_files(lua_State *L, lwend_state *state) {
  (void)state;
  lua_pushcfunction(L, files_find);
  lua_setfield(L, -2, "find");
}

#else

void lwend_add_files(lua_State *L, lwend_state *state) {
  (void)L;
  (void)state;
}

#endif
