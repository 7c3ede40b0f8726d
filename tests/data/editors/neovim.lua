-- What a person does in Neovim, with the settings of docs/editors.md.
--
--   nvim --headless -u NONE -c 'edit program.mlir' -c 'luafile settings.lua' \
--     -c 'luafile neovim.lua'
--
-- Prints a line for each answer of the server.

local function wait_for(answer)
  local found
  vim.wait(60000, function()
    found = answer()
    return found ~= nil
  end, 100)
  return found
end

local function say(kind, text)
  io.stdout:write(kind .. ": " .. tostring(text) .. "\n")
end

local function write_instead(old, new)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local start, stop = line:find(old, 1, true)
    if start then
      vim.api.nvim_buf_set_text(0, number - 1, start - 1, number - 1, stop, { new })
      return
    end
  end
end

local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 60000) or {}) do
    return answer.result
  end
end

wait_for(function()
  return next(vim.lsp.buf_get_clients(0))
end)
write_instead("tensor.insert", "tensor.insret")
say("error", wait_for(function()
  local found = vim.diagnostic.get(0)
  return found[1] and found[1].message
end))
write_instead("tensor.insret", "tensor.insert")
say("no error", wait_for(function()
  return #vim.diagnostic.get(0) == 0 or nil
end))

vim.api.nvim_win_set_cursor(0, { 2, 29 })
say("hover", wait_for(function()
  local found = ask("textDocument/hover", vim.lsp.util.make_position_params())
  return found and found.contents.value:match("%*%*.-%*%*")
end))

local range = vim.lsp.util.make_range_params()
range.context = { diagnostics = {} }
local action = ask("textDocument/codeAction", range)[1]
vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
vim.api.nvim_win_set_cursor(0, { 3, 3 })
local place = vim.lsp.util.make_position_params()
place.newName = "%new"
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", place), "utf-16")
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
  io.stdout:write(line .. "\n")
end
vim.cmd("qall!")
