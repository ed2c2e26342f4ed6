import QRCode from 'qrcode'

export default () => QRCode.toString('https://example.com', { type: 'svg' })
