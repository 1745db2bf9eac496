-- SPDX-License-Identifier: MIT
--- wend completion: writes a script that lets a shell complete the command line.

local output = require "wend.tools.command.output"

local function run(context)
  local shell, parser = context.arguments.shell, context.parser
  local write = parser["get_" .. shell .. "_complete"]
  if not write then
    output.fail "completion needs argparse 0.7 or later"
  end
  output.say(context, "%s", (write(parser):gsub("\n$", "")))
  return output.FINE
end

return {
  name = "completion", run = run,
  summary = "Write a script for the completion of a shell.",
  about = "Writes a script for bash, zsh or fish. With it, the shell completes commands and options of wend.",
  examples = [[
Examples:
   eval "$(wend completion bash)"                   in ~/.bashrc; level.wend and other files are completed too
   wend completion zsh > ~/.zfunc/_wend             a folder of fpath, before compinit
   wend completion fish > ~/.config/fish/completions/wend.fish]],
  define = function(add)
    add.argument("shell", "The shell: bash, zsh or fish.", "SHELL"):choices { "bash", "zsh", "fish" }
  end,
}
