import { gunzipSync, gzipSync, strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

export default () => [
  strFromU8(gunzipSync(gzipSync(strToU8('Hello, Zoë'), { mtime: 0 }))),
  strFromU8(unzipSync(zipSync({ 'a.txt': strToU8('inside') }))['a.txt']),
]
