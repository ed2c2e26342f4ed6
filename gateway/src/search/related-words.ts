/**
 * Words that mean the same to a person who looks for a tool. A model asks in the words of its task, not in those of the
 * tool's author: "picture" for `generate_image`.
 */
import { stem } from './words.ts'

/** A line for each meaning. A word may be in several. */
const MEANINGS = `
create make add new insert generate build compose write
delete remove erase drop destroy clear discard trash purge
get fetch read retrieve show view load obtain display
list show all enumerate
find search lookup locate query discover
update edit modify change set adjust alter patch amend rename
send post deliver dispatch submit publish
cancel abort stop end terminate halt
start begin launch run execute trigger
image picture photo photograph drawing illustration
video clip movie film
audio sound voice speech
email mail inbox message
message chat text sms dm
file document
folder directory
repository repo project codebase
pull merge pr
issue ticket bug
database db table sql
row record entry
payment charge pay transaction
refund reimburse
invoice bill billing
customer client buyer
user account member person people
meeting appointment event calendar
schedule plan book
reminder alarm
address place location
route directions navigate
distance far
map maps geocode
weather forecast temperature
translate translation language
summarize summary shorten condense
convert transform format
resize scale enlarge shrink upscale
download save export
upload import attach
log logs trace
metric metrics statistics stats analytics
deploy release rollout ship
server machine instance vm host
container docker
password secret credential
permission access role
price cost quote rate
stock share inventory
currency exchange money
flight plane airline
hotel room accommodation
task todo
note memo
contact phone
order purchase buy
product item article
cart basket
shipment parcel package tracking
comment reply respond answer
share invite
copy duplicate clone
move transfer
count number total
compare diff difference
approve accept confirm
reject decline deny
website webpage page url web site
notify alert notification
archive zip compress
`

let meanings: Map<string, Set<string>> | undefined

/** @param word as `wordsOf` returns it; so are the results. */
export function relatedTo(word: string): Iterable<string> {
  meanings ??= read()
  return meanings.get(word) ?? []
}

function read(): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>()
  for (const line of MEANINGS.trim().split('\n')) {
    const words = line.split(' ').map(stem)
    for (const word of words) {
      const others = related.get(word) ?? new Set()
      for (const other of words) if (other !== word) others.add(other)
      related.set(word, others)
    }
  }
  return related
}
