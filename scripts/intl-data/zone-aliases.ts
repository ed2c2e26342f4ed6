/** Other names of time zones. ICU does not list them, but knows what they mean. */

/** The names in the time zone database that ICU does not list, by their first part. */
const NAMES: readonly [area: string, names: string][] = [
  [
    '',
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu',
  ],
  ['Africa', 'Asmara Timbuktu'],
  [
    'America',
    'Argentina/Buenos_Aires Argentina/Catamarca Argentina/ComodRivadavia Argentina/Cordoba Argentina/Jujuy Argentina/Mendoza Atikokan Atka Ensenada Fort_Wayne Indiana/Indianapolis Kentucky/Louisville Knox_IN Montreal Nipigon Nuuk Pangnirtung Porto_Acre Rainy_River Rosario Santa_Isabel Shiprock Thunder_Bay Virgin Yellowknife',
  ],
  ['Antarctica', 'South_Pole'],
  [
    'Asia',
    'Ashkhabad Choibalsan Chongqing Chungking Dacca Harbin Ho_Chi_Minh Istanbul Kashgar Kathmandu Kolkata Macao Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator Yangon',
  ],
  ['Atlantic', 'Faroe Jan_Mayen'],
  [
    'Australia',
    'ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna',
  ],
  ['Brazil', 'Acre DeNoronha East West'],
  ['Canada', 'Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon'],
  ['Chile', 'Continental EasterIsland'],
  [
    'Etc',
    'GMT GMT+0 GMT+1 GMT+10 GMT+11 GMT+12 GMT+2 GMT+3 GMT+4 GMT+5 GMT+6 GMT+7 GMT+8 GMT+9 GMT-0 GMT-1 GMT-10 GMT-11 GMT-12 GMT-13 GMT-14 GMT-2 GMT-3 GMT-4 GMT-5 GMT-6 GMT-7 GMT-8 GMT-9 GMT0 Greenwich UCT UTC Universal Zulu',
  ],
  ['Europe', 'Belfast Kyiv Nicosia Tiraspol Uzhgorod Zaporozhye'],
  ['Mexico', 'BajaNorte BajaSur General'],
  ['Pacific', 'Chuuk Johnston Kanton Pohnpei Samoa Yap'],
  [
    'US',
    'Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain Pacific Samoa',
  ],
]

/** @param zones the names that are listed. */
export function zoneAliases(zones: Iterable<string>): [alias: string, zone: string][] {
  const known = new Set(zones)
  const found: [string, string][] = []
  for (const [area, names] of NAMES) {
    for (const name of names.split(' ')) {
      const alias = area === '' ? name : `${area}/${name}`
      if (known.has(alias)) continue
      const format = new Intl.DateTimeFormat('en', { timeZone: alias })
      found.push([alias, format.resolvedOptions().timeZone])
    }
  }
  return found
}
