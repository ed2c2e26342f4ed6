import { ALL, LEGACY, MODERN, page, pageOf, type Rule } from '../rule.ts'

const RESOURCES = page('server/resources')

export const resources: readonly Rule[] = [
  {
    id: 'resources.capability',
    revisions: ALL,
    level: 'MUST',
    rule: 'A server with resources declares the capability resources.',
    source: `${RESOURCES}#capabilities`,
  },
  {
    id: 'resources.list',
    revisions: ALL,
    level: 'MUST',
    rule: 'resources/list answers with uri, name and what else is known of every resource.',
    source: `${RESOURCES}#listing-resources`,
  },
  {
    id: 'resources.templates',
    revisions: ALL,
    level: 'MUST',
    rule: 'resources/templates/list answers with the templates there are.',
    source: `${RESOURCES}#resource-templates`,
  },
  {
    id: 'resources.read-text',
    revisions: ALL,
    level: 'MUST',
    rule: 'resources/read answers with the text of a resource and its uri.',
    source: `${RESOURCES}#text-content`,
  },
  {
    id: 'resources.read-binary',
    revisions: ALL,
    level: 'MUST',
    rule: 'Binary contents are base64 in blob, byte for byte.',
    source: `${RESOURCES}#binary-content`,
  },
  {
    id: 'resources.read-template',
    revisions: ALL,
    level: 'MUST',
    rule: 'A uri that fits a template is read from the component that offers the template.',
    source: `${RESOURCES}#resource-templates`,
  },
  {
    id: 'resources.not-found',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'A resource that is not there is answered with -32602 and its uri in data.',
    source: `${RESOURCES}#error-handling`,
  },
  {
    id: 'resources.not-found-not-empty',
    revisions: MODERN,
    level: 'MUST',
    rule: 'It is never answered with empty contents.',
    source: `${RESOURCES}#error-handling`,
  },
  {
    id: 'resources.not-found-legacy',
    revisions: LEGACY,
    level: 'SHOULD',
    rule: 'A resource that is not there is answered with -32002.',
    source: pageOf('2025-11-25', 'server/resources#error-handling'),
  },
  {
    id: 'resources.uri-validated',
    revisions: ALL,
    level: 'MUST',
    rule: 'A uri that is missing or not a string is refused with -32602.',
    source: `${RESOURCES}#security-considerations`,
  },
  {
    id: 'resources.subscribe-honest',
    revisions: MODERN,
    level: 'MUST',
    rule: 'subscribe is not declared, because no update of a resource is ever announced.',
    source: `${RESOURCES}#capabilities`,
  },
]
