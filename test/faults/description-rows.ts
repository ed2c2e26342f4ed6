import { DISCOVERY_TIMEOUT_MS, SECRET } from './fault.ts'

/** A component that describes its tools badly, or not at all. */
export interface BadDescription {
  component: string
  /** What it does. */
  how: string
  /** Why it is unavailable; absent when it is not. */
  reason?: string | RegExp
  /** The tools of it that are listed. @default none */
  tools?: readonly string[]
  /** What is reported about the tools that are left out; one line each. */
  problems?: readonly RegExp[]
  /** Names that another component had first. */
  clashes?: readonly object[]
  /** What the client must not see and the host's log must contain. */
  logged?: string | RegExp
}

const LATE = `it gave no answer within ${DISCOVERY_TIMEOUT_MS} ms`
const NO_JSON = 'its description is not JSON'
const NAME = /^tool \d: its name must be/

export const BAD_DESCRIPTIONS: readonly BadDescription[] = [
  { component: 'throws', how: 'throws', reason: 'it answered with status 500', logged: SECRET },
  {
    component: 'rejects-late',
    how: 'rejects after 300 ms',
    reason: 'it answered with status 500',
    logged: new RegExp(`rejects-late: .*${SECRET}`),
  },
  { component: 'hangs', how: 'never answers', reason: LATE },
  { component: 'drips', how: 'sends a space now and then', reason: LATE },
  { component: 'slow', how: 'answers after the deadline', reason: LATE },
  { component: 'not-found', how: 'answers 404', reason: 'it answered with status 404' },
  { component: 'server-error', how: 'answers 500', reason: 'it answered with status 500' },
  { component: 'html', how: 'answers a page', reason: NO_JSON },
  { component: 'empty', how: 'answers nothing', reason: NO_JSON },
  { component: 'cut-off', how: 'answers half a list', reason: NO_JSON },
  {
    component: 'number',
    how: 'answers 42',
    reason: 'its description must be a tool or a list of tools',
  },
  {
    component: 'gigabyte',
    how: 'answers a gigabyte',
    // On a busy machine, its time is over before so much has come.
    reason: /^its description has more than 9437184 bytes$|within/,
  },
  { component: 'deep', how: 'answers 10 000 levels', reason: /^its description nests deeper/ },
  {
    component: 'exhausts',
    how: 'takes all memory',
    // On a busy machine it may need more than a second for that.
    reason: /^it (?:answered with status 500|gave no answer within)/,
    logged: /exhausts: .*out of memory/,
  },
  {
    component: 'absent',
    how: 'is missing from the manifest',
    reason: 'it cannot be reached',
    logged: 'calls the component "absent", which the application lacks',
  },
  { component: 'nameless', how: 'has a tool without a name', problems: [/^tool 1: .*no name$/] },
  { component: 'no-list', how: 'has a text for a list', problems: [/^tools: .*not an array$/] },
  {
    component: 'mixed',
    how: 'has invalid tools among good ones',
    // A member that clients refuse costs itself only.
    tools: ['good_before', 'good_after', 'number_property', 'text_required', 'number_description'],
    problems: [
      /^tool 2: .*not an object/,
      /^tool "text_schema": its inputSchema/,
      /^tool "array_schema": its inputSchema/,
      /^tool "no_schema": .*inputSchema/,
      /^tool "number_property": its inputSchema.properties.a must be a schema; it is left out/,
      /^tool "text_required": its outputSchema must be a JSON Schema that clients can use.*left out/,
      /^tool "number_description": its description.*left out/,
    ],
  },
  {
    component: 'misnamed',
    how: 'has tools with illegal names',
    tools: ['__proto__', 'constructor'],
    problems: Array.from({ length: 9 }, () => NAME),
  },
  {
    component: 'twins',
    how: 'has one name twice',
    tools: ['twin', 'twins__twin'],
    clashes: [{ kind: 'tools', name: 'twin', keptBy: 'twins', listedAs: 'twins__twin' }],
  },
  {
    component: 'imposter',
    how: 'has the name of another component’s tool',
    tools: ['imposter__echo'],
    clashes: [{ kind: 'tools', name: 'echo', keptBy: 'echo', listedAs: 'imposter__echo' }],
  },
  {
    component: 'offers',
    how: 'has an illegal prompt, resource and template',
    problems: [/^prompt \d: its name/, /^resource \d: its uri/, /^resource template .*uriTemplate/],
  },
]

/** Listed whatever the others do. */
export const SOUND_TOOLS = ['echo', 'counter', 'throws']
