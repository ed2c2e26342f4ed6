import xml2js from 'xml2js'

export default async () => [
  await xml2js.parseStringPromise('<a x="1"><b>2</b><b>three</b></a>'),
  new xml2js.Builder({ headless: true }).buildObject({ note: { to: 'Ann' } }),
]
