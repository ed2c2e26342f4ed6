import qs from 'qs'

export default () => [qs.parse('a[b]=1&a[c][]=2&a[c][]=x%20y'), qs.stringify({ a: { b: [1, 2] } })]
