/**
 * The scripts that read and write a store, in Lua. Redis runs each of them as one step. Their key is the name of the
 * store, `assay:{NAME}`, under which the format is stored; all other keys begin with it, so that a cluster keeps them on
 * one node:
 *
 * - `:values`, `:versions`: hashes from key to value and version of an entry; `:keys`: the sorted set of the keys
 * - `:heads`, `:trims`: hashes from journal to the last position appended and trimmed; `:journal:NAME`: its records
 * - `:sets`: hash from set to `latest floor generation…`; `:members:SET:GENERATION`: the set of its members
 * - `:leases`: hash from lease to `token expiry +holder`, or `token expiry -` if it is free
 * - `:pause`: the id of a backup that keeps writes waiting
 */

/** What every script begins with. */
const COMMON = `
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
const WRITING = `${COMMON}
if call('EXISTS', P .. ':pause') == 1 then return redis.error_reply('ASSAYPAUSED a backup runs') end
`;

/** Arguments: the format of this version. Returns the stored format, after storing this one in an empty place. */
const open = `
local stored = redis.call('GET', KEYS[1])
if stored then return stored end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
`;

/** Arguments: key. Returns version and value, or nothing. */
const entry = `${COMMON}
local version = call('HGET', P .. ':versions', ARGV[1])
if not version then return {} end
return {version, call('HGET', P .. ':values', ARGV[1])}
`;

/** Arguments: prefix, the key to begin after or nothing, limit. Returns key, version, value, key, … */
const list = `${COMMON}
local prefix, after = ARGV[1], ARGV[2]
local from = '[' .. prefix
if after >= prefix and after ~= '' then from = '(' .. after end
local keys = call('ZRANGEBYLEX', P .. ':keys', from, '(' .. prefix .. '\\127', 'LIMIT', 0, ARGV[3])
local found = {}
for start = 1, #keys, 1000 do
  local last = math.min(start + 999, #keys)
  local versions = call('HMGET', P .. ':versions', unpack(keys, start, last))
  local values = call('HMGET', P .. ':values', unpack(keys, start, last))
  for index = start, last do
    found[#found + 1] = keys[index]
    found[#found + 1] = versions[index - start + 1]
    found[#found + 1] = values[index - start + 1]
  end
end
return found
`;

/** Arguments: journal, the position to begin after, limit. Returns position, record, position, … */
const read = `${COMMON}
local journal, after, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local head = tonumber(call('HGET', P .. ':heads', journal) or 0)
local at = math.max(after, tonumber(call('HGET', P .. ':trims', journal) or 0)) + 1
local found = {}
while at <= head and #found < 2 * limit do
  local positions = {}
  for position = at, math.min(head, at + math.min(limit - #found / 2, 1000) - 1) do
    positions[#positions + 1] = num(position)
  end
  local records = call('HMGET', P .. ':journal:' .. journal, unpack(positions))
  for index, position in ipairs(positions) do
    if records[index] then
      found[#found + 1] = position
      found[#found + 1] = records[index]
    end
  end
  at = at + #positions
end
return found
`;

/** Arguments: journal. */
const head = `${COMMON}
return call('HGET', P .. ':heads', ARGV[1]) or '0'
`;

/**
 * Arguments: the operations as JSON, and the bytes to which they refer by position. It decides like \`decideBatch\` of
 * \`@assay/store\`: first every condition, over the effects of the operations before, then the writes. Returns 1 and the
 * results; or 0, the indexes of the failed operations, and index and positions of the members already claimed.
 */
const batch = `${WRITING}
local entries, heads, appended, rewritten, trims, windows, claims = {}, {}, {}, {}, {}, {}, {}
local results, failed, claimed = {}, {}, {}

local function bytes(position) return ARGV[position + 1] end

local function versionOf(key)
  if entries[key] then return entries[key].version end
  return tonumber(call('HGET', P .. ':versions', key) or 0)
end

local function headOf(journal)
  if not heads[journal] then heads[journal] = tonumber(call('HGET', P .. ':heads', journal) or 0) end
  return heads[journal]
end

local function trimOf(journal)
  return trims[journal] or tonumber(call('HGET', P .. ':trims', journal) or 0)
end

local function windowOf(set)
  if windows[set] then return windows[set] end
  local window = {latest = nil, floor = nil, generations = {}}
  local stored = call('HGET', P .. ':sets', set)
  if stored then
    local words = {}
    for word in string.gmatch(stored, '%S+') do words[#words + 1] = tonumber(word) end
    window.latest, window.floor = words[1], words[2]
    for index = 3, #words do window.generations[#window.generations + 1] = words[index] end
  end
  return window
end

local function put(operation)
  local version = versionOf(operation.key)
  if operation.ifVersion and operation.ifVersion ~= version then return nil end
  if operation.ifAbsent and version > 0 then return operation.ifAbsent == 'skip' and 0 or nil end
  entries[operation.key] = {version = version + 1, value = operation.value}
  return version + 1
end

local function delete(operation)
  if operation.ifVersion and operation.ifVersion ~= versionOf(operation.key) then return nil end
  entries[operation.key] = {version = 0}
  return 0
end

local function append(operation)
  local journal = operation.journal
  local last = headOf(journal)
  appended[journal] = appended[journal] or {}
  for position = operation.from, operation.to do
    last = last + 1
    appended[journal][last] = position
  end
  heads[journal] = last
  return last
end

local function rewrite(operation)
  local journal, position = operation.journal, operation.position
  if position <= trimOf(journal) then return nil end
  if appended[journal] and appended[journal][position] then
    appended[journal][position] = operation.value
    return 0
  end
  if call('HEXISTS', P .. ':journal:' .. journal, num(position)) == 0 then return nil end
  rewritten[journal] = rewritten[journal] or {}
  rewritten[journal][position] = operation.value
  return 0
end

local function trim(operation)
  local through = math.min(operation.through, headOf(operation.journal))
  if through > trimOf(operation.journal) then trims[operation.journal] = through end
  return 0
end

-- Marks the positions of members that a generation has.
local function find(set, generation, members, positions, already)
  local key = P .. ':members:' .. set .. ':' .. num(generation)
  for from = 1, #members, 1000 do
    local last = math.min(from + 999, #members)
    for index, has in ipairs(call('SMISMEMBER', key, unpack(members, from, last))) do
      if has == 1 then already[positions[from + index - 1]] = true end
    end
  end
end

local function claim(operation, index)
  local set = operation.set
  if operation.to < operation.from then return 0 end
  local window = windowOf(set)
  window.latest = math.max(window.latest or operation.generation, operation.generation)
  window.floor = math.max(window.floor or -math.huge, window.latest - operation.keep + 1)
  windows[set] = window
  claims[set] = claims[set] or {}
  local members, positions, seen, already = {}, {}, {}, {}
  for position = operation.from, operation.to do
    local member = bytes(position)
    if not seen[member] then
      seen[member] = true
      members[#members + 1] = member
      positions[#positions + 1] = position - operation.from + 1
      if claims[set][member] and claims[set][member] >= window.floor then already[positions[#positions]] = true end
    end
  end
  for _, generation in ipairs(window.generations) do
    if generation >= window.floor then find(set, generation, members, positions, already) end
  end
  for _, member in ipairs(members) do claims[set][member] = window.latest end
  local ordered = {}
  for position in pairs(already) do ordered[#ordered + 1] = position end
  if #ordered == 0 then return 0 end
  table.sort(ordered)
  claimed[#claimed + 1] = {index, ordered}
  return nil
end

local function fence(operation)
  local token, holder = string.match(call('HGET', P .. ':leases', operation.lease) or '', '^(%d+) %d+ ([+-])')
  return (holder == '+' and operation.token > 0 and tonumber(token) == operation.token) and 0 or nil
end

local decide = {
  put = put, delete = delete, append = append, rewrite = rewrite, trim = trim, claim = claim, fence = fence
}
for index, operation in ipairs(cjson.decode(ARGV[1])) do
  local result = decide[operation.type](operation, index - 1)
  if not result then failed[#failed + 1] = index - 1 end
  results[index] = result or 0
end
if #failed > 0 then return {0, failed, claimed} end

for key, one in pairs(entries) do
  if one.version > 0 then
    call('HSET', P .. ':values', key, bytes(one.value))
    call('HSET', P .. ':versions', key, num(one.version))
    call('ZADD', P .. ':keys', 0, key)
  else
    call('HDEL', P .. ':values', key)
    call('HDEL', P .. ':versions', key)
    call('ZREM', P .. ':keys', key)
  end
end
for _, records in ipairs({appended, rewritten}) do
  for journal, staged in pairs(records) do
    local pairsOf = {}
    for position, value in pairs(staged) do
      pairsOf[#pairsOf + 1] = num(position)
      pairsOf[#pairsOf + 1] = bytes(value)
    end
    callAll('HSET', P .. ':journal:' .. journal, pairsOf)
  end
end
for journal in pairs(appended) do call('HSET', P .. ':heads', journal, num(heads[journal])) end
for journal, through in pairs(trims) do
  local positions = {}
  for position = tonumber(call('HGET', P .. ':trims', journal) or 0) + 1, through do
    positions[#positions + 1] = num(position)
  end
  callAll('HDEL', P .. ':journal:' .. journal, positions)
  call('HSET', P .. ':trims', journal, num(through))
end
for set, window in pairs(windows) do
  local byGeneration, live = {}, {}
  for member, generation in pairs(claims[set]) do
    byGeneration[generation] = byGeneration[generation] or {}
    table.insert(byGeneration[generation], member)
  end
  for generation, members in pairs(byGeneration) do
    callAll('SADD', P .. ':members:' .. set .. ':' .. num(generation), members)
    live[generation] = true
  end
  for _, generation in ipairs(window.generations) do live[generation] = true end
  local words = {num(window.latest), num(window.floor)}
  for generation in pairs(live) do
    if generation >= window.floor then words[#words + 1] = num(generation)
    else call('UNLINK', P .. ':members:' .. set .. ':' .. num(generation)) end
  end
  call('HSET', P .. ':sets', set, table.concat(words, ' '))
end
return {1, results}
`;

/** Arguments: key, number to add. Returns the new value. */
const increment = `${WRITING}
local stored = call('HGET', P .. ':values', ARGV[1])
if stored and not (string.match(stored, '^%-?%d+$') and #stored <= 17) then
  return redis.error_reply('ASSAYNOCOUNTER the entry is something else')
end
local total = tonumber(stored or 0) + tonumber(ARGV[2])
if math.abs(total) > 9007199254740991 then return redis.error_reply('ASSAYTOOLARGE the counter is too large') end
call('HSET', P .. ':values', ARGV[1], num(total))
call('HINCRBY', P .. ':versions', ARGV[1], 1)
call('ZADD', P .. ':keys', 0, ARGV[1])
return num(total)
`;

/** Arguments: lease, holder, duration in milliseconds. Returns token and expiry, or nothing while another has it. */
const lease = `${WRITING}
local time = call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local stored = call('HGET', P .. ':leases', ARGV[1]) or '0 0 -'
local token, expiry, mark, holder = string.match(stored, '^(%d+) (%d+) ([+-])(.*)$')
local isHeld = mark == '+' and tonumber(expiry) > now
if isHeld and holder ~= ARGV[2] then return {} end
if not isHeld then token = num(tonumber(token) + 1) end
local ends = num(now + tonumber(ARGV[3]))
call('HSET', P .. ':leases', ARGV[1], token .. ' ' .. ends .. ' +' .. ARGV[2])
return {token, ends}
`;

/** Arguments: lease, holder. */
const release = `${WRITING}
local stored = call('HGET', P .. ':leases', ARGV[1]) or ''
local token, expiry, holder = string.match(stored, '^(%d+) (%d+) %+(.*)$')
if holder == ARGV[2] then call('HSET', P .. ':leases', ARGV[1], token .. ' ' .. expiry .. ' -') end
return 0
`;

/** Arguments: channel with message. */
const publish = `${COMMON}
return call('PUBLISH', P .. ':notices', ARGV[1])
`;

/** Arguments: id, milliseconds. Keeps writes waiting, or goes on with that. Returns whether this id keeps them. */
const pause = `${COMMON}
local holder = call('GET', P .. ':pause')
if holder and holder ~= ARGV[1] then return 0 end
if not holder and ARGV[3] == 'continue' then return 0 end
call('SET', P .. ':pause', ARGV[1], 'PX', ARGV[2])
return 1
`;

/** Arguments: id. Lets writes go on. */
const resume = `${COMMON}
if call('GET', P .. ':pause') == ARGV[1] then call('DEL', P .. ':pause') end
return 0
`;

export const SCRIPTS = { open, entry, list, read, head, batch, increment, lease, release, publish, pause, resume };

export type ScriptName = keyof typeof SCRIPTS;
