/**
 * Words that mean the same, or nearly, to a person who looks for a tool: a line for each meaning. A word may be in several. Two words
 * are together in one line only, and no line has two forms of a word: each character is part of the gateway.
 *
 * General words and those of the fields that public servers are about; none is there for one tool.
 */
export const SYNONYMS = `
create make add new build compose
open start create
create generate draw paint render design sketch
write save store put record note
delete remove erase drop destroy clear discard trash purge terminate void
get fetch read retrieve view load obtain display show print output
list show all enumerate
find search lookup locate query discover look where google
update edit modify change set adjust alter patch amend rename fix correct reschedule
send submit deliver dispatch forward pass tell share
publish post release announce tweet advertise upload
cancel abort stop end terminate halt shut quit contest
start begin launch run execute trigger boot invoke
firing fire active
retry rerun repeat again
undo revert rollback restore return recover back earlier previous version history
close resolve complete finish done solve shut
open unsolved pending active unresolved waiting
assign give hand
approve accept confirm allow
reject decline deny refuse respond
split cut trim crop shorten
merge combine join glue together unite land
shorten short tiny summarize condense tldr compress
compress reduce smaller shrink less resize
resize scale enlarge upscale larger bigger increase size resolution sharper more
convert turn transform transcode
compare diff difference change
copy duplicate clone fork twice double
move transfer relocate rename shift
check verify validate test inspect
count number total
watch monitor follow track observe
track where trace
protect lock
hide blur mask mute redact
mute silence pause quiet disturb snooze
extract take out cut only
sort order arrange optimize categorize filter classify
answer reply respond react
vote poll survey
recommend suggest
explain why reason
tell describe identify recognize detect what
image picture photo photograph drawing illustration
snapshot screenshot
scan page image
video clip movie film youtube
caption subtitle transcript transcribe
audio sound voice speech recording
speak spoken speech say said read aloud loud
louder quieter volume
song music track tune karaoke instrumental
noise background
singer vocals
gif animated
logo watermark
email mail inbox message
junk spam
newsletter subscription mailing
message chat text sms dm post
channel room slack group
emoji reaction thumbs like
file document text
document doc article paper text
folder directory
repository repo project codebase github
pull pr request
review look feedback
commit change history push
code source program
issue ticket bug problem case defect
escalate level
build ci pipeline workflow run job
green passed status success
fail failure flaky error
random sometimes
test coverage
deploy release rollout ship production publish
database db sql postgres
select query sql
row record entry line
column field cell value
spreadsheet sheet excel table worksheet
chart graph plot diagram
slow performance speed fast
backup snapshot
schema migration
permission access role grant privilege
payment charge billing purchase
refund reimburse return money
money balance amount cash fund pay
earn revenue income sales profit
spend spent expense transaction cost
invoice bill
dispute chargeback contest
discount coupon code off voucher promo
subscription plan upgrade
customer client buyer requester user
lead prospect
deal opportunity
quote offer proposal
happy satisfaction satisfied sentiment
user account member person people employee staff
staff salary payroll wage
contact phone address person
contact book
call phone ring
meeting appointment event lunch interview
calendar schedule agenda event planned today
available free availability
weekly recurring daily repeat monthly
conference meeting room
reserve book
reminder alarm
alarm alert firing page pager notify warning
pager duty call shift
vacation holiday absent office leave off
vacation trip travel journey holiday itinerary
trip tour activity
address street place location
latitude longitude coordinates
route direction navigate drive way
distance far
nearby near close around
restaurant pizza food eat place
opening hours shop
traffic jam
bus tram stop departure transit transport
weather rain warm temperature forecast sky cold
warm heat temperature thermostat degrees
tomorrow day forecast next
storm flood hurricane warning
pollen air dust
sun sunset sunrise
flight plane airplane airline airport fly ticket
late delay
luggage baggage suitcase bag heavy weight
hotel room accommodation sleep stay rental
train rail
rent hire
car vehicle
taxi cab ride
translate language french german spanish english say
offensive hate moderate abuse
password secret credential
server machine instance vm computer
container pod docker
kubernetes k8s cluster
shell exec command terminal
replica scale instance
yaml manifest
memory cpu usage resource
object bucket storage s3
link url temporary presigned
domain dns record host
certificate ssl tls
firewall port
cost price bill expensive cheap
log output
metric statistics stats analytics
exceed above threshold crosses over beyond
exception error crash
online down reachable uptime site answer
incident outage down
website webpage page url web site homepage internet article
broken dead
owner registered owns belongs who
news headline article latest
stock share equity
stock quantity inventory
currency exchange dollar euro money
crypto bitcoin cryptocurrency ethereum coin
loan mortgage credit
transfer wire send
job position posting hiring
todo task list open do
due deadline
hours time worked
order purchase buy bought
product item article goods
parcel package shipment delivery
shipping postage
cart basket
post tweet social
engagement like popular
mention say about
comment remark annotation
door front
robot vacuum
doctor dentist physician
medicine drug pill prescription
recipe cook ingredient
workout exercise training
grammar spelling typo
sign signature contract
archive zip unpack extract compress
disk space storage
unit mile kilometer length
propose create suggest
reserve schedule plan
buy book purchase
offline out absent
subscribe unsubscribe
dm direct private
inform tell post message send
contest dispute evidence
light lamp
doc document page
wants request
`
/** Several words that mean one other. */
export const PHRASES: readonly (readonly [phrase: RegExp, meaning: string])[] = [
  [/\bget(?:ting)? rid of\b/, 'delete'],
  [/\bspin up\b|\bset up\b/, 'create'],
  [/\bkick(?:ing)? off\b/, 'start'],
  [/\bshut down\b/, 'stop'],
  [/\blights? off\b/, 'turn lamp'],
  [/^which\b/, 'list'],
  [/\bsend\b.* back\b/, 'return'],
  [/\btl;?dr\b/, 'summarize'],
  [/\bhow (?:big|large|long)\b/, 'size info'],
  [/\bhow (?:warm|cold)\b/, 'temperature'],
  [/\bwrite down\b/, 'transcribe'],
  [/\bcredit card\b/, 'card'],
  [/\b(?:what|things?).* to do\b/, 'tasks'],
  [/\bpull requests?\b|\bprs?\b/, 'pull request'],
  [/\bsay about\b/, 'mention'],
  [/\b(?:take|have|days?)\b.* off\b/, 'vacation'],
]
