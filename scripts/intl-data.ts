// npm run intl-data: writes sdk/src/intl/data, the English data of `Intl` in components, from the ICU of this Node.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { currencyData, unitData } from './intl-data/numbers.ts'
import { collationData } from './intl-data/collation.ts'
import { localeData } from './intl-data/locales.ts'
import { dateData } from './intl-data/dates.ts'
import { zoneData } from './intl-data/zones.ts'

const FOLDER = join(import.meta.dirname, '../sdk/src/intl/data')
const { icu, cldr, tz } = process.versions
if (!icu?.startsWith('78.')) {
  console.error(
    `npm run intl-data: this Node has ICU ${icu}. Run it with the Node of this repository.`,
  )
  process.exit(1)
}

const HEADER = `// Made by npm run intl-data, of ICU ${icu}, CLDR ${cldr} and the time zone database ${tz}.
// CLDR: Copyright © 1991-2026 Unicode, Inc., under the Unicode License V3 (https://www.unicode.org/license.txt).
`

for (const [name, values] of Object.entries({
  currencies: currencyData(),
  units: unitData(),
  collation: collationData(),
  dates: dateData(),
  locales: localeData(),
  zones: zoneData(),
})) {
  const lines = Object.entries(values).map(
    ([key, value]) => `export const ${key} = ${source(value)}`,
  )
  const text = `${HEADER}${lines.join('\n')}\n`
  writeFileSync(join(FOLDER, `${name}.ts`), text)
  console.log(`${name}: ${text.length} characters`)
}

/** As prettier writes it. */
function source(value: unknown): string {
  if (typeof value === 'string') {
    const text = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')
    const line = value.includes("'") ? JSON.stringify(value) : `'${text}'`
    return value.length > 60 ? `\n  ${line}` : line
  }
  return JSON.stringify(value)
}
