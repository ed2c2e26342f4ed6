// Made by npm run intl-data, of ICU 78.3, CLDR 48.0 and the time zone database 2026c.
// CLDR: Copyright © 1991-2026 Unicode, Inc., under the Unicode License V3 (https://www.unicode.org/license.txt).
export const LIKELY =
  'af-Latn-ZA ar-Arab-EG az-Latn-AZ bg-Cyrl-BG bn-Beng-BD bs-Latn-BA ca-Latn-ES cs-Latn-CZ cy-Latn-GB da-Latn-DK de-Latn-DE el-Grek-GR en-Latn-US es-Latn-ES et-Latn-EE fa-Arab-IR fi-Latn-FI fil-Latn-PH fr-Latn-FR ga-Latn-IE gl-Latn-ES gu-Gujr-IN he-Hebr-IL hi-Deva-IN hr-Latn-HR hu-Latn-HU hy-Armn-AM id-Latn-ID is-Latn-IS it-Latn-IT ja-Jpan-JP ka-Geor-GE kk-Cyrl-KZ km-Khmr-KH kn-Knda-IN ko-Kore-KR lo-Laoo-LA lt-Latn-LT lv-Latn-LV mk-Cyrl-MK ml-Mlym-IN mn-Cyrl-MN mr-Deva-IN ms-Latn-MY my-Mymr-MM nb-Latn-NO ne-Deva-NP nl-Latn-NL nn-Latn-NO no-Latn-NO pa-Guru-IN pl-Latn-PL pt-Latn-BR ro-Latn-RO ru-Cyrl-RU si-Sinh-LK sk-Latn-SK sl-Latn-SI sq-Latn-AL sr-Cyrl-RS sv-Latn-SE sw-Latn-TZ ta-Taml-IN te-Telu-IN th-Thai-TH tr-Latn-TR uk-Cyrl-UA ur-Arab-PK uz-Latn-UZ vi-Latn-VN zh-Hans-CN zu-Latn-ZA'
export const SUNDAY_FIRST =
  'AG AS BD BR BS BT BU BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY RH SA SG SV TH TT TW UM US VE VI WS YD YE ZA ZW'
export const SATURDAY_FIRST = 'AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'
export const FRIDAY_FIRST = 'MV'
export const FRIDAY_WEEKEND = 'BH DZ EG IL IQ JO KW LY OM QA SA SD SY YD YE'
