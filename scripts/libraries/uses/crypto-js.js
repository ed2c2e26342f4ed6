import CryptoJS from 'crypto-js'

export default () => [
  CryptoJS.SHA256('Hello').toString(),
  CryptoJS.HmacSHA1('Hello', 'key').toString(),
  CryptoJS.AES.decrypt(CryptoJS.AES.encrypt('Zoë', 'secret'), 'secret').toString(CryptoJS.enc.Utf8),
]
