/* SPDX-License-Identifier: MIT */
/* Grids as text: wend.parse_grid makes a grid of rows of characters, and grid:text draws one. */
#include <math.h>
#include <string.h>

#include "utf8.h"
#include "grid_object.h"

/* ---- Drawing ----------------------------------------------------------------------------------------------- */

/* The value of a cell as wend_grid_get returns it: a glyph stands for all closed cells of a tag, whatever weight they keep. */
static wend_cell as_seen(wend_cell cell) {
  if ((cell.tag & WEND_CELL_CLOSED) != 0) cell.weight = INFINITY, cell.tag &= ~WEND_CELL_CLOSED;
  return cell;
}

/* Whether a glyph stands for such a cell. */
static bool is_glyph(const lwend_glyph *g, wend_cell cell) { return g->cell.weight == cell.weight && g->cell.tag == cell.tag; }

/* Whether a character has a meaning already. */
static bool is_taken(const lwend_glyph *glyphs, int count, uint32_t text) {
  for (int i = 0; i < count; i++)
    if (glyphs[i].text == text) return true;
  return text == '#' || text == '.' || text == '?';
}

/* The character for a cell that is not in the legend; '?': none is free. */
static uint32_t choose_glyph(const lwend_map *g, const lwend_glyph *glyphs, int count, wend_cell cell) {
  size_t length;
  const char *name;
  if (cell.tag == WEND_UNTAGGED) {
    if (cell.weight == INFINITY) return '#';
    if (cell.weight == 1) return '.';
    if (cell.weight >= 2 && cell.weight <= 9 && cell.weight == floor(cell.weight) &&
        !is_taken(glyphs, count, '0' + (uint32_t)cell.weight))
      return '0' + (uint32_t)cell.weight;
    return '?';
  }
  name = wend_map_tag_name(g->map, cell.tag, &length);
  for (size_t i = 0; i < length;) {
    const uint32_t text = lwend_utf8_get(name + i, length - i);
    if (lwend_utf8_visible(text) && !is_taken(glyphs, count, text)) return text;
    i += lwend_utf8_size(text);
  }
  return '?';
}

/* A part of a grid that is drawn: columns x1 .. x2 and rows y1 .. y2, from 0. */
typedef struct area {
  uint32_t x1, y1, x2, y2;
} area;

/* Draws cells, row by row. */
static void draw_cells(const lwend_map *g, area drawn, uint32_t *characters) {
  const lwend_grid *object = (const lwend_grid *)(const void *)g;
  lwend_glyph glyphs[LWEND_GLYPHS_MAX];
  int count = object->glyph_count, recent = 0;
  memcpy(glyphs, object->glyphs, (size_t)count * sizeof *glyphs);
  for (uint32_t y = drawn.y1; y <= drawn.y2; y++)
    for (uint32_t x = drawn.x1; x <= drawn.x2; x++) {
      const wend_cell cell = wend_grid_get(g->grid, wend_grid_cell(g->grid, x, y));
      if (recent >= count || !is_glyph(&glyphs[recent], cell)) {
        recent = 0;
        while (recent < count && !is_glyph(&glyphs[recent], cell)) recent++;
      }
      if (recent == count && count < LWEND_GLYPHS_MAX) {
        lwend_glyph made = {cell, 0};
        made.text = choose_glyph(g, glyphs, count, cell);
        glyphs[count++] = made;
      }
      *characters++ = recent < count ? glyphs[recent].text : '?';
    }
}

/* Draws the marks of the list at index over the cells: x, y and a character for each. Cells outside are left out. */
static void draw_marks(lua_State *L, int index, area drawn, uint32_t *characters) {
  const size_t width = (size_t)drawn.x2 - drawn.x1 + 1, numbers = lua_rawlen(L, index);
  for (size_t i = 1; i + 2 <= numbers; i += 3) {
    uint64_t x = 0, y = 0;
    lua_rawgeti(L, index, (int)i);
    lua_rawgeti(L, index, (int)i + 1);
    lua_rawgeti(L, index, (int)i + 2);
    if (lwend_towhole(L, -3, &x) && lwend_towhole(L, -2, &y) && lua_type(L, -1) == LUA_TSTRING && lua_rawlen(L, -1) > 0 &&
        x > drawn.x1 && x <= (uint64_t)drawn.x2 + 1 && y > drawn.y1 && y <= (uint64_t)drawn.y2 + 1)
      characters[(size_t)(y - 1 - drawn.y1) * width + (size_t)(x - 1 - drawn.x1)] =
          lwend_utf8_get(lua_tostring(L, -1), lua_rawlen(L, -1));
    lua_pop(L, 3);
  }
}

/* core.draw(grid, x1, y1, x2, y2, marks) -> the cells of an area as text. For grid:text (lua/wend/text.lua), which has read the
 * options. marks: a flat list of x, y and a character. */
int lwend_core_draw(lua_State *L) {
  lwend_map *g = lwend_check_grid(L, 1);
  const wend_id a = lwend_check_cell(L, 2, g, "area[1]", "area[2]");
  const wend_id b = lwend_check_cell(L, 4, g, "area[3]", "area[4]");
  const uint32_t width = wend_grid_width(g->grid), ax = (uint32_t)(a - 1) % width, ay = (uint32_t)(a - 1) / width,
                 bx = (uint32_t)(b - 1) % width, by = (uint32_t)(b - 1) / width;
  const area drawn = {ax < bx ? ax : bx, ay < by ? ay : by, ax < bx ? bx : ax, ay < by ? by : ay};
  const uint64_t columns = drawn.x2 - drawn.x1 + 1, rows = drawn.y2 - drawn.y1 + 1, cells = columns * rows;
  uint32_t *characters;
  char *text, *end;
  size_t bytes = (size_t)rows;
  if (!lua_istable(L, 6)) lwend_type_error(L, 6, "marks", "a list");
  if (cells > SIZE_MAX / 8) return lwend_no_memory(L);
  characters = lua_newuserdata(L, (size_t)cells * sizeof *characters);
  draw_cells(lwend_check_alive(L, g), drawn, characters);
  draw_marks(L, 6, drawn, characters);
  for (size_t i = 0; i < (size_t)cells; i++) bytes += lwend_utf8_size(characters[i]);
  end = text = lua_newuserdata(L, bytes);
  for (uint64_t y = 0; y < rows; y++) {
    for (uint64_t x = 0; x < columns; x++) end = lwend_utf8_put(end, *characters++);
    *end++ = '\n';
  }
  lua_pushlstring(L, text, bytes - 1); /* without the last line break */
  return 1;
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

typedef struct line {
  const char *text;
  size_t length;
} line;

/* Whether a line holds only blanks. */
static bool is_blank(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') return false;
  return true;
}

/* A line without a carriage return at its end. */
static line make_line(const char *text, size_t length) {
  line made = {text, length};
  if (length > 0 && text[length - 1] == '\r') made.length--;
  return made;
}

/* Splits a text into lines. Removes blank lines at both ends, and the common indentation. Returns the number of lines. */
static uint32_t split_text(const char *text, size_t length, line *lines) {
  const char *end = text + length;
  uint32_t count = 0, first = 0;
  size_t indent = (size_t)-1;
  while (text <= end) {
    const char *stop = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
    if (stop == NULL) stop = end;
    lines[count++] = make_line(text, (size_t)(stop - text));
    text = stop + 1;
  }
  while (count > 0 && is_blank(lines[count - 1].text, lines[count - 1].length)) count--;
  while (first < count && is_blank(lines[first].text, lines[first].length)) first++;
  count -= first;
  memmove(lines, lines + first, count * sizeof *lines);
  for (uint32_t i = 0; i < count; i++) {
    size_t margin = 0;
    while (margin < lines[i].length && margin < indent && (lines[i].text[margin] == ' ' || lines[i].text[margin] == '\t'))
      margin++;
    indent = margin;
  }
  for (uint32_t i = 0; i < count; i++) lines[i].text += indent, lines[i].length -= indent;
  return count;
}

/* Pushes a userdata with the lines of the text or list at index. They point into Lua strings, which stay on the stack. */
static line *push_lines(lua_State *L, int index, uint32_t *count) {
  line *lines;
  if (lua_type(L, index) == LUA_TSTRING) {
    size_t length, most = 1;
    const char *text = lua_tolstring(L, index, &length);
    for (size_t i = 0; i < length; i++) most += text[i] == '\n';
    if (most >= WEND_CELLS_MAX) lwend_no_memory(L);
    lines = lua_newuserdata(L, most * sizeof *lines);
    *count = split_text(text, length, lines);
  } else {
    if (!lua_istable(L, index)) lwend_type_error(L, index, "text", "a string or a list of rows");
    int rows;
    *count = lwend_check_list(L, index, "text", 1, "rows");
    lua_createtable(L, (int)*count, 0); /* keeps the strings alive: a script may empty its list */
    rows = lua_gettop(L);
    lines = lua_newuserdata(L, (*count + 1) * sizeof *lines);
    for (uint32_t i = 0; i < *count; i++) {
      size_t length;
      const char *text;
      if (LWEND_RAWGETI(L, index, (int)i + 1) != LUA_TSTRING) {
        lua_pushfstring(L, "text[%d]", (int)i + 1);
        lwend_type_error(L, -2, lua_tostring(L, -1), "a string (a row)");
      }
      text = lua_tolstring(L, -1, &length);
      lines[i] = make_line(text, length);
      lua_rawseti(L, rows, (int)i + 1);
    }
  }
  if (*count == 0) luaL_error(L, "text must hold at least one row");
  return lines;
}

/* The characters of a legend, in ascending order, with their values. Single bytes come first. */
typedef struct legend {
  int count;
  uint32_t text[LWEND_GLYPHS_MAX + 2]; /* those of the script, "#" and "." */
  wend_cell value[LWEND_GLYPHS_MAX + 2];
  uint32_t uses[LWEND_GLYPHS_MAX + 2]; /* in the drawing */
} legend;

/* Replaces the legend at index by a list that no script can change, and sorts its characters into `text`: item i + 1 of the
 * list is the value of text[i]. Raises if a key is not a character. */
static void copy_legend(lua_State *L, int index, legend *made) {
  int copy;
  made->count = 0;
  if (lua_isnil(L, index)) return;
  if (!lua_istable(L, index)) lwend_type_error(L, index, "legend", "a table");
  lua_createtable(L, LWEND_GLYPHS_MAX, 0);
  copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) { /* the list has room for all: nothing here allocates, so no script runs */
    const size_t size = lua_type(L, -2) == LUA_TSTRING ? lua_rawlen(L, -2) : 0;
    uint32_t text = size > 0 ? lwend_utf8_get(lua_tostring(L, -2), size) : 0;
    int at = made->count;
    if (size == 0 || lwend_utf8_size(text) != size) lwend_type_error(L, -2, "each key of legend", "a string of one character");
    if (made->count == LWEND_GLYPHS_MAX) luaL_error(L, "a legend has at most %d characters", LWEND_GLYPHS_MAX);
    for (; at > 0 && made->text[at - 1] > text; at--) { /* insertion sort: the value moves with its character */
      made->text[at] = made->text[at - 1];
      lua_rawgeti(L, copy, at);
      lua_rawseti(L, copy, at + 1);
    }
    made->text[at] = text;
    lua_rawseti(L, copy, at + 1);
    made->count++;
  }
  lua_replace(L, index);
}

/* Reads the values of a legend from the list at index, which copy_legend has made, in ascending order of the characters: so
 * tags get the same numbers in every Lua. Adds the glyphs to the grid, which has room for them. */
static void read_legend(lua_State *L, int index, lwend_grid *g, int grid_index, legend *made) {
  for (int i = 0; i < made->count; i++) {
    char what[] = "legend['1234']", *end = what + 8;
    if (made->text[i] >= ' ' && made->text[i] != 127 && (made->text[i] < 127 || made->text[i] > 0xff))
      end = lwend_utf8_put(end, made->text[i]);
    else *end++ = '.';
    memcpy(end, "']", 3);
    lua_rawgeti(L, index, i + 1);
    made->value[i] = lwend_check_cell_value(L, lua_gettop(L), grid_index, what);
    lua_pop(L, 1);
    g->glyphs[g->glyph_count].cell = as_seen(made->value[i]);
    g->glyphs[g->glyph_count++].text = made->text[i];
  }
}

/* The index of a character in a legend, by binary search; -1: it is not there. */
static int find_character(const legend *made, uint32_t text) {
  int low = 0, high = made->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (made->text[middle] < text) low = middle + 1;
    else high = middle;
  }
  return low < made->count && made->text[low] == text ? low : -1;
}

/* Adds a character with its usual value, if the legend of the script does not have it. */
static void add_usual(legend *made, uint32_t text, wend_cell value) {
  int at = made->count;
  if (find_character(made, text) >= 0) return;
  for (; at > 0 && made->text[at - 1] > text; at--) {
    made->text[at] = made->text[at - 1];
    made->value[at] = made->value[at - 1];
  }
  made->text[at] = text;
  made->value[at] = value;
  made->count++;
}

/* Of characters with one value, as that of a hero's place and that of the floor, the grid keeps the most used: cells are drawn
 * with it. */
static void keep_most_used(lwend_grid *g, const legend *made) {
  int kept = 0;
  for (int i = 0; i < g->glyph_count; i++) {
    const int own = find_character(made, g->glyphs[i].text);
    bool most = true;
    for (int j = 0; j < made->count && most; j++)
      most = made->uses[j] <= made->uses[own] || !is_glyph(&g->glyphs[i], as_seen(made->value[j]));
    if (most) g->glyphs[kept++] = g->glyphs[i];
  }
  g->glyph_count = kept;
}

/* Raises: a character has no value. x, y: from 0. */
static int unknown_character(lua_State *L, const legend *made, uint32_t text, uint32_t x, uint32_t y) {
  luaL_Buffer buffer;
  char bytes[4];
  if (text == '\t') lua_pushliteral(L, "\\t");
  else lua_pushlstring(L, bytes, (size_t)(lwend_utf8_put(bytes, text) - bytes));
  luaL_buffinit(L, &buffer);
  for (int i = 0; i < made->count; i++) {
    if (i > 0) luaL_addlstring(&buffer, " ", 1);
    luaL_addlstring(&buffer, "'", 1);
    luaL_addlstring(&buffer, bytes, (size_t)(lwend_utf8_put(bytes, made->text[i]) - bytes));
    luaL_addlstring(&buffer, "'", 1);
  }
  luaL_pushresult(&buffer);
  return luaL_error(L, "unknown character '%s' in row %d, column %d (legend: %s)", lua_tostring(L, -2), (int)y + 1, (int)x + 1,
                    lua_tostring(L, -1));
}

/* The number of characters of a line. */
static uint32_t width_of(line text) {
  size_t count = 0;
  for (size_t at = 0; at < text.length && count < WEND_CELLS_MAX; count++)
    at += lwend_utf8_size(lwend_utf8_get(text.text + at, text.length - at));
  return (uint32_t)count;
}

/* Raises: row y, from 0, has another width than the first. */
static int uneven_row(lua_State *L, const line *lines, uint32_t y) {
  const bool indented = is_blank(lines[0].text, 1) || (lines[y].length > 0 && is_blank(lines[y].text, 1));
  return luaL_error(L, "row %d is %d wide, row 1 is %d wide%s", (int)y + 1, (int)width_of(lines[y]), (int)width_of(lines[0]),
                    indented ? ": indent all rows by the same spaces or tabs" : "");
}

/* wend.parse_grid(text or list of rows[, legend][, { diagonals, diagonal_length, cell, origin, projection }]) -> grid */
int lwend_core_parse_grid(lua_State *L) {
  static const wend_cell closed = {INFINITY, WEND_UNTAGGED}, open = {1, WEND_UNTAGGED};
  uint32_t count, width;
  line *lines;
  lwend_grid_opts opts;
  int grid_index;
  lwend_grid *g;
  legend *made;
  wend_cell *row;
  /* Read. */
  lua_settop(L, 3);
  opts = lwend_grid_options(L, 3);
  made = lua_newuserdata(L, sizeof *made);
  copy_legend(L, 2, made);
  lines = push_lines(L, 1, &count);
  /* Check. */
  width = width_of(lines[0]);
  if (width == 0) luaL_error(L, "row 1 is empty");
  for (uint32_t y = 1; y < count; y++)
    if (width_of(lines[y]) != width) uneven_row(L, lines, y);
  lwend_check_grid_size(L, width, count);
  /* Act. */
  row = lua_newuserdata(L, width * sizeof *row);
  g = lwend_push_grid(L, width, count, &opts, made->count);
  grid_index = lua_gettop(L);
  read_legend(L, 2, g, grid_index, made);
  add_usual(made, '#', closed);
  add_usual(made, '.', open);
  memset(made->uses, 0, sizeof made->uses);
  for (uint32_t y = 0; y < count; y++) {
    const char *at = lines[y].text, *end = at + lines[y].length;
    int recent = 0;
    for (uint32_t x = 0; x < width; x++) {
      const uint32_t text = lwend_utf8_get(at, (size_t)(end - at));
      if (made->text[recent] != text) recent = find_character(made, text);
      if (recent < 0) unknown_character(L, made, text, x, y);
      made->uses[recent]++;
      row[x] = made->value[recent];
      at += lwend_utf8_size(text);
    }
    if (wend_grid_set_row(g->base.grid, y, row) != WEND_OK) lwend_no_memory(L);
  }
  keep_most_used(g, made);
  lua_settop(L, grid_index);
  lwend_gc_step(L, lwend_state_of(L));
  return 1;
}
