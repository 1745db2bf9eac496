/* SPDX-License-Identifier: MIT */
/* What tools/defold/extension.cpp uses of Defold's SDK: enough to compile and call the extension without Defold. */
#ifndef WEND_SPEC_DMSDK_H
#define WEND_SPEC_DMSDK_H

extern "C" {
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
}

namespace dmExtension {
enum Result { RESULT_OK };
struct Params {
  lua_State *m_L;
};
} // namespace dmExtension

#define DM_DECLARE_EXTENSION(symbol, name, app_init, app_final, init, update, on_event, final) \
  dmExtension::Result (*const symbol##_initialize)(dmExtension::Params *) = init;              \
  dmExtension::Result (*const symbol##_finalize)(dmExtension::Params *) = final;

#endif
