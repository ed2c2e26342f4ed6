import { MODERN, page, type Rule } from '../rule.ts'

const MRTR = page('basic/patterns/mrtr')
const SERVER = `${MRTR}#server-requirements-basic-workflow`

/** Multi round-trip requests: a request that needs the client's answers to be completed. */
export const mrtr: readonly Rule[] = [
  {
    id: 'mrtr.asks',
    revisions: MODERN,
    level: 'MAY',
    rule: 'tools/call, prompts/get and resources/read may be answered with what is needed of the client.',
    source: `${MRTR}#supported-requests`,
  },
  {
    id: 'mrtr.only-there',
    revisions: MODERN,
    level: 'MUST',
    rule: 'No other request is answered so.',
    source: `${MRTR}#supported-requests`,
  },
  {
    id: 'mrtr.completes',
    revisions: MODERN,
    level: 'MUST',
    rule: 'The request again, with the answers, is completed by itself.',
    source: `${MRTR}#basic-workflow`,
  },
  {
    id: 'mrtr.rounds',
    revisions: MODERN,
    level: 'MAY',
    rule: 'A request may take several rounds.',
    source: SERVER,
  },
  {
    id: 'mrtr.something-asked',
    revisions: MODERN,
    level: 'MUST',
    rule: 'An answer that asks has input requests or a state.',
    source: SERVER,
  },
  {
    id: 'mrtr.kinds',
    revisions: MODERN,
    level: 'MUST',
    rule: 'Only elicitation, sampling and roots are asked for.',
    source: SERVER,
  },
  {
    id: 'mrtr.capability',
    revisions: MODERN,
    level: 'MUST',
    rule: 'Nothing is asked of a client that it did not declare.',
    source: SERVER,
  },
  {
    id: 'mrtr.elicitation-mode',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A form is asked for only where forms are declared, a visit to a url only where urls are.',
    source: page('client/elicitation#capabilities'),
  },
  {
    id: 'mrtr.state-integrity',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A state that was changed on its way is refused.',
    source: SERVER,
  },
  {
    id: 'mrtr.state-request',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'A state presented with another request than its own is refused.',
    source: SERVER,
  },
  {
    id: 'mrtr.state-expires',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'A state is refused after its time.',
    source: SERVER,
  },
  {
    id: 'mrtr.state-principal',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'A state is refused from another principal than its own.',
    source: SERVER,
  },
  {
    id: 'mrtr.asks-again',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'Answers that are missing are asked for again.',
    source: `${MRTR}#error-handling`,
  },
  {
    id: 'mrtr.extra-ignored',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'Answers that nobody asked for are ignored.',
    source: `${MRTR}#error-handling`,
  },
  {
    id: 'mrtr.malformed-answers',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'Answers that are not an object, and a state that is not a string, are refused.',
    source: `${MRTR}#error-handling`,
  },
]
