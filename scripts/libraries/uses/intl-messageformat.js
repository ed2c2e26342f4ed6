import { IntlMessageFormat } from 'intl-messageformat'

export default () =>
  new IntlMessageFormat('{count, plural, one {# file} other {# files}} for {name}', 'en').format({
    count: 3,
    name: 'Ann',
  })
