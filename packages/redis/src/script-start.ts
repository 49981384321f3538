/** What every script begins with. */
export const COMMON = `
local P = KEYS[1]
local call = redis.call
if call('EXISTS', P) == 0 then return redis.error_reply('ASSAYLOST the data are gone') end
local function num(n) return string.format('%.0f', n) end
-- Calls a command with many arguments, some at a time: Lua passes a limited number.
local function callAll(command, key, arguments)
  for from = 1, #arguments, 1000 do
    call(command, key, unpack(arguments, from, math.min(from + 999, #arguments)))
  end
end
`;

/** What scripts that write begin with. */
export const WRITING = `${COMMON}
if call('EXISTS', P .. ':pause') == 1 then return redis.error_reply('ASSAYPAUSED a backup runs') end
`;
