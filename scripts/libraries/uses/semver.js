import semver from 'semver'

export default () => [
  semver.satisfies('1.2.9', '^1.2.3'),
  semver.inc('1.2.3', 'minor'),
  semver.sort(['1.10.0', '1.2.0', '1.2.0-rc.1']),
]
