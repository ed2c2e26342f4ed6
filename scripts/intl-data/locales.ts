/** What `Intl.Locale` knows of languages and regions. */

const LANGUAGES =
  'af ar az bg bn bs ca cs cy da de el en es et fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu'

export function localeData() {
  const codes = Array.from({ length: 26 * 26 }, (_, index) =>
    String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)),
  ).filter((code) => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code))
  const week = new Map(codes.map((code) => [code, weekOf(code)]))
  const where = (test: (week: Week) => boolean) =>
    codes.filter((code) => test(week.get(code) ?? weekOf('001'))).join(' ')
  return {
    /** The script and region of each language. */
    LIKELY: LANGUAGES.split(' ')
      .map((language) => new Intl.Locale(language).maximize().toString())
      .join(' '),
    /** Regions whose week does not begin on Monday. */
    SUNDAY_FIRST: where(({ firstDay }) => firstDay === 7),
    SATURDAY_FIRST: where(({ firstDay }) => firstDay === 6),
    FRIDAY_FIRST: where(({ firstDay }) => firstDay === 5),
    /** Regions whose weekend is not Saturday and Sunday. */
    FRIDAY_WEEKEND: where(({ weekend }) => weekend.join() === '5,6'),
  }
}

interface Week {
  firstDay: number
  weekend: number[]
}

function weekOf(region: string): Week {
  return (new Intl.Locale(`und-${region}`) as Intl.Locale & { getWeekInfo(): Week }).getWeekInfo()
}
