import punycode from 'unenv/node/punycode'
export * from 'unenv/node/punycode'
export default punycode
