return {
  version = "1.5",
  luaversion = "5.1",
  tiledversion = "1.8.2",
  orientation = "orthogonal",
  renderorder = "right-down",
  width = 16,
  height = 16,
  tilewidth = 16,
  tileheight = 16,
  nextlayerid = 20,
  nextobjectid = 50,
  properties = {
    ["weather"] = "rain"
  },
  tilesets = {
    {
      name = "tiles",
      firstgid = 1,
      filename = "parts/tiles.tsx"
    },
    {
      name = "rocks",
      firstgid = 9,
      tilewidth = 16,
      tileheight = 16,
      spacing = 0,
      margin = 0,
      columns = 8,
      image = "../../examples/tiled/tiles.png",
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
          id = 0,
          type = "rock",
          properties = {
            ["closed"] = true
          },
          animation = {
            {
              tileid = 0,
              duration = 100
            },
            {
              tileid = 1,
              duration = 100
            }
          }
        }
      }
    },
    {
      name = "trees",
      firstgid = 17,
      filename = "parts/trees.tsx"
    }
  },
  layers = {
    {
      type = "tilelayer",
      x = 0,
      y = 0,
      width = 16,
      height = 16,
      id = 1,
      name = "grund & \"boden\" <ü>",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {
        ["weight"] = 1.5
      },
      encoding = "lua",
      chunks = {
        {
          x = 0, y = -4, width = 4, height = 4,
          data = {
            0, 0, 0, 1,
            0, 0, 1, 1,
            0, 1, 1, 1,
            1, 1, 1, 1
          }
        },
        {
          x = -4, y = 0, width = 4, height = 4,
          data = {
            1, 1, 2, 2,
            3, 3, 2147483651, 4,
            20, 24, 1, 1,
            0, 0, 9, 10
          }
        }
      }
    },
    {
      type = "group",
      id = 2,
      name = "outer",
      visible = true,
      opacity = 1,
      offsetx = 8,
      offsety = -4.5,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      layers = {
        {
          type = "group",
          id = 3,
          name = "inner",
          visible = true,
          opacity = 1,
          offsetx = 8,
          offsety = 0,
          parallaxx = 1,
          parallaxy = 1,
          properties = {},
          layers = {
            {
              type = "tilelayer",
              x = 0,
              y = 0,
              width = 16,
              height = 16,
              id = 4,
              name = "upper",
              visible = true,
              opacity = 1,
              offsetx = 16,
              offsety = 4.5,
              parallaxx = 1,
              parallaxy = 1,
              properties = {
                ["empty"] = "open",
                ["tag"] = "bridge"
              },
              encoding = "lua",
              chunks = {
                {
                  x = 0, y = 0, width = 4, height = 4,
                  data = {
                    0, 0, 0, 0,
                    0, 5, 5, 0,
                    0, 6, 7, 0,
                    0, 0, 0, 0
                  }
                }
              }
            },
            {
              type = "tilelayer",
              x = 0,
              y = 0,
              width = 16,
              height = 16,
              id = 5,
              name = "empty",
              visible = true,
              opacity = 1,
              offsetx = 0,
              offsety = 0,
              parallaxx = 1,
              parallaxy = 1,
              properties = {},
              encoding = "lua",
              chunks = {}
            },
            {
              type = "objectgroup",
              draworder = "topdown",
              id = 6,
              name = "things",
              visible = true,
              opacity = 1,
              offsetx = 1,
              offsety = 0,
              parallaxx = 1,
              parallaxy = 1,
              properties = {},
              objects = {
                {
                  id = 1,
                  name = "gate",
                  type = "node",
                  shape = "ellipse",
                  x = 10,
                  y = 20,
                  width = 20,
                  height = 30,
                  rotation = 90,
                  visible = true,
                  properties = {
                    ["radius"] = 2.5
                  }
                },
                {
                  id = 2,
                  name = "second",
                  type = "node",
                  shape = "ellipse",
                  x = 40,
                  y = 20,
                  width = 8,
                  height = 8,
                  rotation = 0,
                  visible = true,
                  properties = {
                    ["radius"] = 4
                  }
                },
                {
                  id = 3,
                  name = "fir",
                  type = "wall",
                  shape = "rectangle",
                  x = 100,
                  y = 50,
                  width = 16,
                  height = 24,
                  rotation = 0,
                  gid = 24,
                  visible = true,
                  properties = {}
                },
                {
                  id = 4,
                  name = "tile",
                  type = "wall",
                  shape = "rectangle",
                  x = 64,
                  y = 64,
                  width = 16,
                  height = 16,
                  rotation = 45,
                  gid = 3,
                  visible = true,
                  properties = {}
                },
                {
                  id = 5,
                  name = "rock",
                  type = "",
                  shape = "rectangle",
                  x = 80,
                  y = 64,
                  width = 16,
                  height = 16,
                  rotation = 0,
                  gid = 2147483657,
                  visible = true,
                  properties = {}
                },
                {
                  id = 6,
                  name = "Wächter",
                  type = "",
                  shape = "point",
                  x = 3.25,
                  y = 4.75,
                  width = 0,
                  height = 0,
                  rotation = 0,
                  visible = true,
                  properties = {
                    ["colour"] = "#ff112233",
                    ["node"] = true,
                    ["note"] = "two\nlines",
                    ["target"] = { id = 3 }
                  }
                },
                {
                  id = 7,
                  name = "",
                  type = "edge",
                  shape = "polyline",
                  x = 12,
                  y = 30,
                  width = 0,
                  height = 0,
                  rotation = 0,
                  visible = true,
                  polyline = {
                    { x = 0, y = 0 },
                    { x = 4.5, y = -6 },
                    { x = 20, y = 2 }
                  },
                  properties = {
                    ["closed"] = false,
                    ["directed"] = true,
                    ["weight"] = 7
                  }
                },
                {
                  id = 8,
                  name = "",
                  type = "wall",
                  shape = "polygon",
                  x = 120,
                  y = 10,
                  width = 0,
                  height = 0,
                  rotation = 30,
                  visible = true,
                  polygon = {
                    { x = 0, y = 0 },
                    { x = 10, y = 0 },
                    { x = 10, y = 5.5 },
                    { x = -3, y = 8 }
                  },
                  properties = {}
                },
                {
                  id = 9,
                  name = "label",
                  type = "",
                  shape = "text",
                  x = 5,
                  y = 5,
                  width = 40,
                  height = 12,
                  rotation = 0,
                  visible = true,
                  text = "node & edge",
                  wrap = true,
                  properties = {}
                }
              }
            }
          }
        }
      }
    },
    {
      type = "imagelayer",
      image = "../../examples/tiled/tiles.png",
      id = 7,
      name = "sky",
      visible = true,
      opacity = 1,
      offsetx = 3,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      repeatx = false,
      repeaty = false,
      properties = {}
    }
  }
}
