return {
  version = "1.5",
  luaversion = "5.1",
  tiledversion = "1.8.2",
  orientation = "orthogonal",
  renderorder = "right-down",
  width = 24,
  height = 11,
  tilewidth = 16,
  tileheight = 16,
  nextlayerid = 9,
  nextobjectid = 30,
  properties = {},
  tilesets = {
    {
      name = "tiles",
      firstgid = 1,
      tilewidth = 16,
      tileheight = 16,
      spacing = 0,
      margin = 0,
      columns = 8,
      image = "tiles.png",
      imagewidth = 128,
      imageheight = 16,
      objectalignment = "unspecified",
      tileoffset = {
        x = 0,
        y = 0
      },
      grid = {
        orientation = "orthogonal",
        width = 16,
        height = 16
      },
      properties = {},
      wangsets = {},
      tilecount = 8,
      tiles = {
        {
          id = 1,
          type = "road"
        },
        {
          id = 2,
          type = "water",
          properties = {
            ["closed"] = true
          }
        },
        {
          id = 3,
          properties = {
            ["tag"] = "fen",
            ["weight"] = 2
          }
        },
        {
          id = 4,
          properties = {
            ["closed"] = true
          }
        },
        {
          id = 5,
          type = "ford"
        },
        {
          id = 6,
          type = "road"
        }
      }
    }
  },
  layers = {
    {
      type = "tilelayer",
      x = 0,
      y = 0,
      width = 24,
      height = 11,
      id = 1,
      name = "ground",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      encoding = "lua",
      data = {
        1, 1, 1, 1, 5, 5, 1, 1, 1, 1, 3, 3, 3, 1, 1, 1, 1, 5, 5, 5, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 1, 1, 1, 1, 1, 5, 5, 1, 1, 1,
        1, 5, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 3, 3, 3, 3, 1, 1, 2, 1, 1, 1, 5, 1, 1, 1,
        1, 1, 1, 1, 2, 1, 1, 4, 4, 4, 1, 3, 3, 3, 3, 1, 2, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 1, 3, 3, 3, 1, 2, 1, 1, 5, 5, 5, 1, 1,
        1, 2, 2, 2, 2, 1, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 2, 1, 2, 5, 5, 5, 5, 1,
        1, 1, 1, 1, 2, 1, 1, 4, 4, 4, 4, 4, 1, 3, 3, 3, 1, 2, 1, 1, 1, 1, 1, 1,
        1, 5, 5, 1, 2, 1, 1, 1, 1, 4, 4, 4, 1, 1, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1,
        1, 5, 5, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 1, 1, 1, 1, 2, 1, 5,
        1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2
      }
    },
    {
      type = "tilelayer",
      x = 0,
      y = 0,
      width = 24,
      height = 11,
      id = 2,
      name = "above",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      encoding = "lua",
      data = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 6, 0, 0, 0, 0, 0, 0, 0
      }
    },
    {
      type = "group",
      id = 3,
      name = "for wend",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      layers = {
        {
          type = "objectgroup",
          draworder = "topdown",
          id = 4,
          name = "places",
          visible = true,
          opacity = 1,
          offsetx = 0,
          offsety = 0,
          parallaxx = 1,
          parallaxy = 1,
          properties = {},
          objects = {
            {
              id = 1,
              name = "mill",
              type = "node",
              shape = "point",
              x = 24,
              y = 104,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              properties = {
                ["radius"] = 6
              }
            },
            {
              id = 2,
              name = "crossroads",
              type = "node",
              shape = "point",
              x = 72,
              y = 104,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              properties = {}
            },
            {
              id = 3,
              name = "bridge",
              type = "node",
              shape = "rectangle",
              x = 152,
              y = 32,
              width = 80,
              height = 16,
              rotation = 0,
              visible = true,
              properties = {}
            },
            {
              id = 4,
              name = "ford",
              type = "node",
              shape = "ellipse",
              x = 224,
              y = 160,
              width = 48,
              height = 16,
              rotation = 0,
              visible = true,
              properties = {}
            },
            {
              id = 5,
              name = "tower",
              type = "",
              shape = "point",
              x = 360,
              y = 168,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              properties = {
                ["node"] = true
              }
            },
            {
              id = 6,
              name = "heron",
              type = "",
              shape = "point",
              x = 200,
              y = 120,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              properties = {}
            }
          }
        },
        {
          type = "objectgroup",
          draworder = "topdown",
          id = 5,
          name = "roads",
          visible = true,
          opacity = 1,
          offsetx = 0,
          offsety = 0,
          parallaxx = 1,
          parallaxy = 1,
          properties = {
            ["class"] = "edges",
            ["tag"] = "road"
          },
          objects = {
            {
              id = 10,
              name = "",
              type = "",
              shape = "polyline",
              x = 26,
              y = 104,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              polyline = {
                { x = 0, y = 0 },
                { x = 44, y = 0 }
              },
              properties = {}
            },
            {
              id = 11,
              name = "",
              type = "",
              shape = "polyline",
              x = 72,
              y = 104,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              polyline = {
                { x = 0, y = 0 },
                { x = 0, y = -64 },
                { x = 100, y = -64 }
              },
              properties = {}
            },
            {
              id = 12,
              name = "",
              type = "",
              shape = "polyline",
              x = 72,
              y = 104,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              polyline = {
                { x = 0, y = 0 },
                { x = 0, y = 64 },
                { x = 170, y = 64 }
              },
              properties = {}
            },
            {
              id = 13,
              name = "",
              type = "",
              shape = "polyline",
              x = 200,
              y = 40,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              polyline = {
                { x = 0, y = 0 },
                { x = 64, y = 0 },
                { x = 64, y = 64 },
                { x = 80, y = 96 },
                { x = 144, y = 96 },
                { x = 144, y = 128 },
                { x = 160, y = 128 }
              },
              properties = {}
            },
            {
              id = 14,
              name = "",
              type = "",
              shape = "polyline",
              x = 248,
              y = 168,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              polyline = {
                { x = 0, y = 0 },
                { x = 112, y = 0 }
              },
              properties = {
                ["tag"] = "ford"
              }
            }
          }
        },
        {
          type = "objectgroup",
          draworder = "topdown",
          id = 6,
          name = "walls",
          visible = true,
          opacity = 1,
          offsetx = 0,
          offsety = 0,
          parallaxx = 1,
          parallaxy = 1,
          properties = {
            ["class"] = "walls"
          },
          objects = {
            {
              id = 20,
              name = "",
              type = "",
              shape = "rectangle",
              x = 272,
              y = 148,
              width = 48,
              height = 8,
              rotation = 0,
              visible = true,
              properties = {}
            },
            {
              id = 21,
              name = "",
              type = "",
              shape = "ellipse",
              x = 16,
              y = 128,
              width = 32,
              height = 32,
              rotation = 0,
              visible = true,
              properties = {}
            },
            {
              id = 22,
              name = "",
              type = "",
              shape = "polygon",
              x = 280,
              y = 0,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              polygon = {
                { x = 0, y = 0 },
                { x = 40, y = 0 },
                { x = 40, y = 8 },
                { x = 8, y = 12 }
              },
              properties = {}
            },
            {
              id = 23,
              name = "mill house",
              type = "",
              shape = "rectangle",
              x = 24,
              y = 72,
              width = 24,
              height = 16,
              rotation = 45,
              visible = true,
              properties = {}
            },
            {
              id = 24,
              name = "",
              type = "",
              shape = "polyline",
              x = 128,
              y = 76,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              polyline = {
                { x = 0, y = 0 },
                { x = 16, y = 16 },
                { x = 48, y = 16 }
              },
              properties = {}
            }
          }
        }
      }
    }
  }
}
