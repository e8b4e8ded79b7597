-- Runs inside Neovim: lets its own client talk to the server and writes down what it hears.

local answers = {}
local function tell(name, value)
  table.insert(answers, name .. ": " .. value)
end

local function diagnostics()
  local lines = {}
  for _, it in ipairs(vim.diagnostic.get(0)) do
    local message = vim.split(it.message, "\n")[1]
    table.insert(lines, string.format("%d:%d %s", it.lnum + 1, it.col + 1, message))
  end
  table.sort(lines)
  return table.concat(lines, "; ")
end

-- Waits until there are as many diagnostics.
local function wait(count)
  local come = vim.wait(30000, function()
    return #vim.diagnostic.get(0) == count
  end, 20)
  return come and diagnostics() or ("still " .. #vim.diagnostic.get(0) .. ": " .. diagnostics())
end

local function request(method, params)
  local all = vim.lsp.buf_request_sync(0, method, params, 30000)
  local _, first = next(all or {})
  return first and first.result
end

local function at(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

local function drive()
  tell("filetype", vim.bo.filetype)
  tell("opened", wait(1))

  -- Type a declaration that mends the equation, as a user would.
  vim.api.nvim_buf_set_lines(0, 2, 2, false, { "  Real b = 1;" })
  wait(0)
  vim.api.nvim_buf_set_text(0, 2, 7, 2, 8, { "é" })
  tell("a letter that is none", vim.wait(30000, function()
    return #vim.diagnostic.get(0) > 0
  end, 20) and "told" or "not told")
  vim.api.nvim_buf_set_text(0, 2, 7, 2, 7 + #"é", { "b" })

  local hover = request("textDocument/hover", at(4, 11))
  tell("hover", hover and hover.contents.value or "nothing")
  local definition = request("textDocument/definition", at(4, 15))
  tell("definition", definition and vim.fn.fnamemodify(definition[1].targetUri, ":t") or "nothing")

  local rename = at(4, 15)
  rename.newName = "height"
  vim.lsp.util.apply_workspace_edit(request("textDocument/rename", rename), "utf-16")
  tell("renamed", vim.api.nvim_buf_get_lines(0, 3, 4, false)[1])
  tell("in the other file", vim.api.nvim_buf_get_lines(vim.fn.bufnr("Lib.mo"), 1, 2, false)[1])

  vim.api.nvim_buf_set_lines(0, 4, 5, false, { "Boolean on=a>2;" })
  local edits = request("textDocument/formatting", {
    textDocument = vim.lsp.util.make_text_document_params(),
    options = { tabSize = 2, insertSpaces = true },
  })
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  tell("formatted", vim.api.nvim_buf_get_lines(0, 4, 5, false)[1])
end

local ok, problem = pcall(drive)
if not ok then
  tell("problem", problem)
end
local file = io.open("answers", "w")
file:write(table.concat(answers, "\n") .. "\n")
file:close()
vim.cmd("qa!")
