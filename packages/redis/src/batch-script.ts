import { WRITING } from "./script-start.ts";

/**
 * Arguments: the operations as JSON, and the bytes to which they refer by position. It decides like \`decideBatch\` of
 * \`@assay/store\`: first every condition, over the effects of the operations before, then the writes. Returns 1 and the
 * results; or 0, the indexes of the failed operations, and index and positions of the members already claimed.
 */
export const batch = `${WRITING}
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
