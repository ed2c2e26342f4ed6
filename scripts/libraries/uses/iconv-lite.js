import iconv from 'iconv-lite'

export default () => [
  [...iconv.encode('Grüße €', 'win1252')],
  iconv.decode(Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 'shift_jis'),
]
