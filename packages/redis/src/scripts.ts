import { batch } from "./batch-script.ts";
import { COMMON, WRITING } from "./script-start.ts";

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
