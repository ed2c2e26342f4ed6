import { XMLBuilder, XMLParser } from 'fast-xml-parser'

export default () => [
  new XMLParser({ ignoreAttributes: false }).parse('<a x="1"><b>2</b><b>three</b></a>'),
  new XMLBuilder({}).build({ note: { to: 'Ann' } }),
]
